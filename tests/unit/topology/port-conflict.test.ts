import { describe, expect, it } from 'vitest';
import { endedPart, unreadySentence } from '../../../src/core/topology/ended-part.ts';
import { type PortHolder, type PortPlace, portConflict } from '../../../src/core/topology/port-conflict.ts';

const here = (holder: PortHolder | null): PortPlace => ({ kind: 'machine', holderOf: () => holder });
const NODE = { who: 'node (process 4711)', isOfRun: false };
const GO = 'listen tcp 127.0.0.1:18081: bind: address already in use';

describe('a port that was not free', () => {
  it.each([
    ['Go', [GO], 18_081],
    ['Go, on all addresses', ['2026/11/29 13:22:01 listen tcp :8080: bind: address already in use'], 8080],
    ['Node.js', ['Error: listen EADDRINUSE: address already in use 127.0.0.1:3000', '    at Server.setup'], 3000],
    ['Node.js, on IPv6', ['Error: listen EADDRINUSE: address already in use :::3000'], 3000],
    [
      'uvicorn',
      ["ERROR:    [Errno 98] error while attempting to bind on address ('127.0.0.1', 8000): address already in use"],
      8000,
    ],
    ['gunicorn', ["[2026-11-29 13:22:01 +0000] [7] [ERROR] Connection in use: ('0.0.0.0', 8000)"], 8000],
    ['Flask', ['Address already in use', 'Port 5000 is in use by another program.'], 5000],
    ['Django', ['Error: That port is already in use.'], null],
    ['Spring', ['Web server failed to start. Port 8080 was already in use.'], 8080],
    ['Rust', ['Os { code: 98, kind: AddrInUse, message: "Address already in use" }'], null],
    ['nginx', ['nginx: [emerg] bind() to 0.0.0.0:80 failed (98: Address already in use)'], 80],
    ['puma', ['Address already in use - bind(2) for "127.0.0.1" port 3000 (Errno::EADDRINUSE)'], 3000],
    ['Kestrel', ['Failed to bind to address http://127.0.0.1:5000: address already in use.'], 5000],
    ['Redis', ['Warning: Could not create server TCP listening socket *:6379: bind: Address already in use'], 6379],
    [
      'Postgres',
      [
        'LOG:  could not bind IPv4 address "127.0.0.1": Address already in use',
        'HINT:  Is another postmaster already running on port 5432? If not, wait a few seconds and retry.',
      ],
      5432,
    ],
  ])('is found in what %s prints', (_, lines, port) => {
    expect(portConflict(['starting', ...lines])).toEqual({ port });
  });

  it.each([
    'listening on 127.0.0.1:8080',
    'connect ECONNREFUSED 127.0.0.1:5432',
    'bind: permission denied',
    'user 8080 already in use',
  ])('is not found in %j', (line) => {
    expect(portConflict([line])).toBeNull();
  });
});

describe('what is said of a part that ended', () => {
  const said = (logLines: string[], place = here(NODE)) =>
    endedPart('exited', 'Service api exited with status 1 before it was ready', { logLines, place });
  const OWN_PORT =
    'give the port a name under `ports` of the service, and write `${ports.NAME}` into its command or env, so that each start gets a free one.';

  it('is the port, who holds it, and what to do, where that was in use', () => {
    expect(said([GO])).toEqual({
      code: 'port-in-use',
      message: `Service api exited with status 1 before it was ready: port 18081 is in use, by node (process 4711). End that process, or ${OWN_PORT}`,
    });
    expect(said([GO], here({ ...NODE, isOfRun: true })).message).toBe(
      `Service api exited with status 1 before it was ready: port 18081 is in use, by node (process 4711), which a run has started, such as the other side of this comparison: ${OWN_PORT}`,
    );
    expect(said([GO], here(null)).message).toBe(
      `Service api exited with status 1 before it was ready: port 18081 is in use, and nobody listens there any more: what had it has ended meanwhile. Start the run again; where that happens again, ${OWN_PORT}`,
    );
    expect(said(['Error: That port is already in use.']).message).toBe(
      `Service api exited with status 1 before it was ready: a port that it listens on is in use. See who listens there (ss -ltnp) and end it, or ${OWN_PORT}`,
    );
    expect(said([GO], { kind: 'own' }).message).toBe(
      'Service api exited with status 1 before it was ready: port 18081 is in use, by another program in the same container or network. Give one of the two another port.',
    );
  });

  it('is where to look: at its last log lines, which follow, or elsewhere where there are none', () => {
    const code = 'exited';
    const ended = 'Service api exited with status 1 before it was ready.';
    expect(said(['KeyError: SHOP_REGION'])).toEqual({ code, message: `${ended} Its last log lines say why.` });
    expect(said([])).toEqual({
      code,
      message: `${ended} It printed nothing: start it by hand, with the command and the env of the spec, or look where it writes its log.`,
    });
  });
});

it('a part that runs and does not get ready has the port as a cause', () => {
  const sentence = 'api was asked for http://127.0.0.1:8080/ for 30 s, but nothing listens on port 8080.';
  expect(unreadySentence(sentence, ['starting'], here(NODE))).toBe(sentence);
  expect(unreadySentence(sentence, [GO], { kind: 'own' })).toBe(
    `${sentence} Its log names a cause: port 18081 is in use, by another program in the same container or network. Give one of the two another port.`,
  );
});
