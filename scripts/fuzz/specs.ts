import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { planReport } from '../../src/app/plan.ts';
import { validateSpec } from '../../src/app/validate.ts';
import { readSpec } from '../../src/core/config/read.ts';
import type { Kind } from './kind.ts';
import { mutated, oneOf, wordsOf } from './mutation.ts';

export function specKind(): Kind {
  const texts = ['fixtures/specs', 'fixtures/suites'].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.yml'))
      .map((file) => readFileSync(join(folder, file), 'utf8')),
  );
  const words = [
    ...wordsOf(texts),
    '&a',
    '*a',
    '<<: *a',
    '!!binary',
    '? ',
    '---',
    '"',
    "'",
    '{',
    '}',
    '[',
    ']',
    '|',
    '>-',
    '\t',
    '${',
  ];
  return {
    name: 'spec',
    share: 8,
    input: (random) => mutated(oneOf(texts, random), words, random),
    read: (text) => {
      const { ok, json } = validateSpec(text, 'wrkbench.yml');
      JSON.stringify(json);
      if (ok) planReport(readSpec(text, 'wrkbench.yml'), { seed: 1, quick: text.length % 2 === 0 });
      return ok;
    },
  };
}
