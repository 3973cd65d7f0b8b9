/** Paths that answer and measure nothing, never end, or change what comes after them. */
const NEVER: readonly RegExp[] = [
  // What watches the service, and its documents.
  /\/debug\/(?:pprof|vars|requests|events)(?:\/|$)/i,
  /\/(?:metrics|prometheus)\/?$/i,
  /(?:^|\/)(?:docs|redoc|swagger|swagger-ui|api-docs|graphiql|playground)(?:\/|$|\.html)/i,
  /(?:openapi|swagger|asyncapi)(?:\.json|\.ya?ml)?$|\/api\/schema(?:\/|$)/i,
  /\/(?:favicon\.ico|robots\.txt|sitemap\.xml|manifest\.json|sw\.js|service-worker\.js)$/i,
  /\/plugin\/?$/i,
  // Steps of a login somewhere else, and the end of one.
  /\/(?:oauth2?|oidc|openid|saml2?|sso)(?:\/|$)|\/(?:callback|authorize)(?:\/|$)/i,
  /(?:^|[/_.-])(?:log|sign)[-_]?(?:out|off)(?:$|[/_.-])/i,
  // Connections that stay.
  /\/(?:ws|wss|websockets?|socket(?:\.io)?|sse|streams?|event-?stream|subscribe|cable|live-?reload|longpoll)(?:\/|$)/i,
  // What ends it, or what it has, whatever the method should be.
  /\/(?:delete|remove|destroy|purge|wipe|reset|drop)(?:[/_-]|$)/i,
  /\/(?:shutdown|restart|reboot|stop|quit|kill|crash|panic|unsubscribe)(?:\/|$)/i,
];

/** Whether nobody who measures asks for a path, whatever it answers. */
export function isNeverAsked(path: string): boolean {
  const [bare] = path.split('?');
  return NEVER.some((pattern) => pattern.test(bare!));
}
