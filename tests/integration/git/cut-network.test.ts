// needs: nothing
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { dataBranch } from '../../../src/adapters/git/data-branch/branch.ts';
import { isCut } from '../../../src/adapters/git/data-branch/network.ts';
import { placeOf } from '../../../src/core/publication/place.ts';
import { type GitServer, gitServer } from '../../support/git-server/server.ts';

let server: GitServer;
beforeAll(async () => {
  server = await gitServer();
});
afterAll(() => server.close());

describe('a publication whose answer is cut off', () => {
  it('is on the branch once, and is said to be', async () => {
    server.create('api');
    server.cuts.push(
      { service: 'git-upload-pack', when: 502 },
      { service: 'git-receive-pack', posts: true, when: 503 },
      { service: 'git-receive-pack', posts: true, when: 'answering' },
    );
    const remote = `${server.url}/api.git`;
    const own = dataBranch({ remote, branch: 'gh-pages', token: null, pausesMs: [10, 20] });
    onTestFinished(() => own.close());
    const { path } = placeOf({ specName: 'api', id: '20261120-000001-00000a', sha: 'ab'.repeat(20) })!;
    const write = [{ path, content: '{}' }];
    const change = { message: 'Add a run', write, move: [], remove: [], squash: false };
    const { sha } = await own.commit(() => change, new AbortController().signal);
    expect(server.cuts).toEqual([]);
    expect(sha).toMatch(/^[0-9a-f]{40}$/);
    expect((await own.entries(new AbortController().signal)).map((entry) => entry.path)).toEqual([path]);
  });
});

describe('what git says', () => {
  const said = (heard: string, timedOut = false) => isCut({ failure: 'git failed', timedOut, heard });

  it.each([
    "fatal: unable to access 'https://example.org/x/': Recv failure: Connection reset by peer",
    "fatal: unable to access 'https://example.org/x/': Could not resolve host: example.org",
    "fatal: unable to access 'https://example.org/x/': The requested URL returned error: 503",
    "fatal: unable to access 'https://example.org/x/': Empty reply from server",
    'error: RPC failed; HTTP 502 curl 22 The requested URL returned error: 502\nfatal: the remote end hung up unexpectedly',
    'error: RPC failed; curl 92 HTTP/2 stream 5 was not closed cleanly: CANCEL (err 8)',
    'error: RPC failed; curl 56 GnuTLS recv error (-9): A TLS packet with unexpected length was received.',
    'fetch-pack: unexpected disconnect while reading sideband packet\nfatal: early EOF\nfatal: fetch-pack: invalid index-pack output',
    'ssh: connect to host example.org port 22: Connection timed out\nfatal: Could not read from remote repository.',
    'kex_exchange_identification: Connection closed by remote host\nfatal: Could not read from remote repository.',
    'ssh: Could not resolve hostname example.org: Temporary failure in name resolution',
  ])('is a network that failed: %s', (heard) => {
    expect(said(heard)).toBe(true);
  });

  it.each([
    "fatal: unable to access 'https://example.org/x/': The requested URL returned error: 403",
    "fatal: Authentication failed for 'https://example.org/x/'",
    'git@example.org: Permission denied (publickey).\nfatal: Could not read from remote repository.',
    "remote: Repository not found.\nfatal: repository 'https://example.org/x/' not found",
    "fatal: couldn't find remote ref refs/heads/gh-pages",
    'error: failed to push some refs',
  ])('is an answer: %s', (heard) => {
    expect(said(heard)).toBe(false);
  });

  it('is a network that failed where it did not end in time, and none where it succeeded', () => {
    expect(said('', true)).toBe(true);
    expect(isCut({ failure: null, timedOut: false, heard: 'early EOF' })).toBe(false);
  });
});
