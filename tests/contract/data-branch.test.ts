// needs: nothing
import { afterAll, beforeAll, onTestFinished } from 'vitest';
import { dataBranch } from '../../src/adapters/git/data-branch/branch.ts';
import { type GitServer, gitServer } from '../support/git-server/server.ts';
import { memoryBranch } from '../support/memory-branch.ts';
import { dataBranchContract } from './data-branch-contract.ts';

let server: GitServer;
beforeAll(async () => {
  server = await gitServer();
});
afterAll(() => server.close());

let made = 0;

dataBranchContract('a map', () => memoryBranch());
dataBranchContract('of a repository', () => {
  made += 1;
  const name = `contract-${made}`;
  server.create(name);
  return {
    publisher() {
      const own = dataBranch({ remote: `${server.url}/${name}.git`, branch: 'gh-pages', token: null });
      onTestFinished(() => own.close());
      return own;
    },
  };
});
