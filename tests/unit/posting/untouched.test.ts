import { describe, expect, it } from 'vitest';
import { isUntouched } from '../../../src/core/posting/untouched.ts';

describe('a pull request that changes nothing that matters', () => {
  it('is one whose files fit none of the globs', () => {
    expect(isUntouched(['docs/a.md', 'README.md'], ['src/*', 'Dockerfile'])).toBe(true);
    expect(isUntouched(['docs/a.md', 'src/deep/server.ts'], ['src/**', 'Dockerfile'])).toBe(false);
    expect(isUntouched(['docs/a.md', 'src/deep/server.ts'], ['src/*', 'Dockerfile'])).toBe(true);
    expect(isUntouched([], ['src/*'])).toBe(true);
  });

  it('is none where nobody said what matters, or what was changed is not known', () => {
    expect(isUntouched(['README.md'], [])).toBe(false);
    expect(isUntouched(null, ['src/*'])).toBe(false);
  });
});
