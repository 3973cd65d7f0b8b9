/** Why a request got no answer, for a person. `came`: bytes of the answer that had come by then. */
export function failureSentence(error: NodeJS.ErrnoException, origin: string, came: number): string {
  const where = origin.replace(/^http:\/\//, '');
  const code = error.code ?? '';
  if (code.startsWith('HPE_')) {
    return code === 'HPE_HEADER_OVERFLOW'
      ? `the headers of the answer from ${where} are longer than a server should send`
      : `what ${where} sent is not an HTTP answer (${plain(error.message)})`;
  }
  switch (code) {
    case 'ECONNREFUSED':
      return `the connection to ${where} was refused: nothing listens there`;
    case 'ECONNRESET':
    case 'EPIPE':
      return came === 0
        ? `${where} closed the connection without an answer`
        : `${where} closed the connection in the middle of the answer, after ${came} bytes`;
    case 'EHOSTUNREACH':
    case 'ENETUNREACH':
      return `there is no route to ${where} from here`;
    case 'ETIMEDOUT':
      return `${where} does not take the connection`;
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return `the name in ${where} cannot be resolved`;
    case 'EADDRNOTAVAIL':
      return `no local port is free for a connection to ${where}: wait a minute for closed ones to be released`;
    default:
      return `the request to ${where} failed: ${plain(error.message)}`;
  }
}

/** `Parse Error: Expected HTTP/` without its own beginning. */
function plain(message: string): string {
  return message.replace(/^Parse Error:\s*/, '').replace(/\.$/, '');
}
