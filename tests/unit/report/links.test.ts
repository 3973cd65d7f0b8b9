import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { linksMarkdown } from '../../../src/core/posting/run-links.ts';
import { PROJECT_URL, webTarget } from '../../../src/core/report/links.ts';

describe('an address', () => {
  it.each([
    ['https://example.com/a?b=c#d', 'https://example.com/a?b=c#d'],
    ['https://example.com/a b(c)"d|e\\f', 'https://example.com/a%20b%28c%29%22d%7ce/f'],
    ['javascript:alert(1)', null],
    ['//example.com', null],
    ['https://', null],
  ])('%s is nothing but that in Markdown and HTML', (address, target) => {
    expect(webTarget(address)).toBe(target);
  });

  it('of the project is the one that the package names', () => {
    const { repository } = JSON.parse(readFileSync(path.resolve(import.meta.dirname, '../../../package.json'), 'utf8'));
    expect(PROJECT_URL).toBe(`${repository.url.replace(/^git\+|\.git$/g, '')}#readme`);
  });
});

describe('the links under a run', () => {
  it('are to its report, its trend and the run, as far as they are known', () => {
    const run = 'https://github.com/acme/api/actions/runs/7301';
    expect(linksMarkdown({ report: null, trend: null, run })).toBe(`[This run](${run})`);
    expect(linksMarkdown({ report: `${run}/artifacts/5`, trend: 'https://acme.github.io/api/', run })).toBe(
      `[Full report (report.html, zipped)](${run}/artifacts/5) · [Trend](https://acme.github.io/api/) · [This run](${run})`,
    );
  });
});
