import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

it('writes to standard output and error in one place alone, where nothing passes that a terminal would obey', () => {
  const files = readdirSync('src', { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.startsWith('site/'))
    .map((file) => join('src', file));
  const writing = files.filter((file) =>
    /\bprocess\.std(?:out|err)\.write\(|\bconsole\.\w+\(/.test(readFileSync(file, 'utf8')),
  );
  expect(writing).toEqual(['src/entry/output.ts']);
});

it("tells GitHub's runner something in one place alone", () => {
  const files = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'));
  const telling = files.filter((file) =>
    /\bcore\.(?:info|notice|warning|error|debug|setFailed)\(/.test(readFileSync(join('src', file), 'utf8')),
  );
  expect(telling).toEqual(['adapters/actions/job.ts']);
});
