import type { ResolvedSpec } from '../spec/resolved.ts';

const SECRET_NAME = /pass|secret|token|credential|private|api_?key|auth/i;
export const REDACTED = '[redacted]';

/**
 * The spec as it may be shown and stored: what a name says is a secret, and user and password of every URL, are left
 * out. Placeholders stay, since they hold nothing.
 */
export function redactedSpec(spec: ResolvedSpec): ResolvedSpec {
  return {
    ...spec,
    services: spec.services.map((service) => ({
      ...service,
      env: redacted(service.env),
      image: service.image?.kind === 'build' ? { ...service.image, args: redacted(service.image.args) } : service.image,
      command: service.command?.map(withoutUserInfo) ?? null,
    })),
    endpoints: spec.endpoints.map((endpoint) => ({ ...endpoint, headers: redacted(endpoint.headers, SECRET_HEADER) })),
  };
}

const SECRET_HEADER = /authorization|cookie|token|secret|api-?key/i;

function redacted(values: Record<string, string>, secretName = SECRET_NAME): Record<string, string> {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      secretName.test(name) && !isPlaceholder(value) ? REDACTED : withoutUserInfo(value),
    ]),
  );
}

const isPlaceholder = (value: string) => /^\$\{[^}]*\}$/.test(value);

/** `postgres://me:pw@host/db` → `postgres://[redacted]@host/db` */
function withoutUserInfo(text: string): string {
  return text.replaceAll(/([a-z][a-z0-9+.-]*:\/\/)[^\s/@]+@/gi, `$1${REDACTED}@`);
}
