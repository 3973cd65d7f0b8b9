/** What a server sends that answers the first bytes of TLS with a text. */
const NO_TLS = /wrong version number|packet length too long|http request/i;
const OTHER_CERTIFICATE =
  /^(?:DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_\w+|CERT_\w+|ERR_TLS_CERT_ALTNAME_INVALID)$/;

/** What a server does instead of TLS, behind its name: `answers in plain HTTP`. Null where it is something else that failed. */
export function tlsFailure(error: NodeJS.ErrnoException & { reason?: string }): string | null {
  const { code = '', message, reason } = error;
  const isOfTls = code.startsWith('ERR_SSL_') || (code === 'EPROTO' && message.includes('SSL routines'));
  if (isOfTls && NO_TLS.test(message)) return 'answers in plain HTTP';
  if (code === 'ERR_SSL_TLSV1_ALERT_NO_APPLICATION_PROTOCOL') return 'negotiates no common protocol in TLS (ALPN)';
  if (isOfTls) return `fails the TLS handshake (${reason ?? code})`;
  if (OTHER_CERTIFICATE.test(code)) return 'shows another certificate than the one of this run';
  return null;
}
