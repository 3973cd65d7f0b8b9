import net from 'node:net';

const REPLY_MS = 1000;

/**
 * What Redis says when it is asked whether it is there: that it reads its data still (`loading`), nothing in time (`silent`), or anything
 * else, such as that it wants a password or TLS: then it is up.
 */
export function askRedis(host: string, port: number, signal: AbortSignal): Promise<'up' | 'loading' | 'silent'> {
  return new Promise((resolve) => {
    let said = '';
    const socket = net.connect({ host, port, signal }, () => socket.write('PING\r\n'));
    const end = (answer: 'up' | 'loading' | 'silent') => {
      clearTimeout(timer);
      resolve(answer);
      socket.destroy();
    };
    const timer = setTimeout(() => end('silent'), REPLY_MS);
    socket.on('data', (chunk) => {
      said += chunk.toString('latin1');
      if (said.includes('\r\n')) end(said.startsWith('-LOADING') ? 'loading' : 'up');
    });
    socket.on('error', () => end('up'));
    socket.on('close', () => end('up'));
  });
}
