import { describe, expect, it } from 'vitest';
import { withoutCredentials } from '../../../src/adapters/git/git.ts';
import { absoluteUrl } from '../../../src/adapters/git/submodules.ts';

describe('the address of a submodule', () => {
  it.each([
    ['../library.git', 'https://github.com/acme/api.git', 'https://github.com/acme/library.git'],
    ['../library', 'https://github.com/acme/api/', 'https://github.com/acme/library'],
    ['./library', 'https://github.com/acme/api', 'https://github.com/acme/api/library'],
    ['../../other/library.git', 'https://github.com/acme/api.git', 'https://github.com/other/library.git'],
    ['../library.git', 'git@github.com:acme/api.git', 'git@github.com:acme/library.git'],
    ['../../other/library.git', 'git@github.com:acme/api.git', 'git@github.com:other/library.git'],
    ['../library', '/srv/git/api', '/srv/git/library'],
    ['https://github.com/acme/library', 'https://github.com/acme/api', 'https://github.com/acme/library'],
    ['git@github.com:acme/library', '/srv/git/api', 'git@github.com:acme/library'],
  ])('%s beside %s', (url, remote, address) => {
    expect(absoluteUrl(url, remote)).toBe(address);
  });
});

describe('what git says', () => {
  it('is shown without credentials', () => {
    const said = "unable to access 'https://x-access-token:ghs_secret@github.com/acme/api.git/': 403";
    expect(withoutCredentials(said)).toBe("unable to access 'https://github.com/acme/api.git/': 403");
    expect(withoutCredentials('ssh://git@host/x')).toBe('ssh://host/x');
  });
});
