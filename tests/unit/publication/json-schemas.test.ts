import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import Ajv2020 from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { memoryBranch } from '../../../src/app/memory-branch.ts';
import { publish } from '../../../src/app/publish.ts';
import { keepAll } from '../../../src/core/publication/change.ts';
import { readRunRecord } from '../../../src/core/record/run-record-file.ts';
import { pagesSource } from '../../support/made-up/pages-source.ts';

/** Real runs, as they lie on a data branch. */
const FOLDER = 'fixtures/nightly/wrkbench';
const specs = readdirSync(FOLDER);

function runsOf(spec: string): string[] {
  const folder = path.join(FOLDER, spec, 'runs');
  const files = readdirSync(folder).flatMap((month) =>
    readdirSync(path.join(folder, month)).map((name) => path.join(folder, month, name)),
  );
  return files.filter((file) => !file.endsWith('.raw.json')).sort();
}

const schemaOf = (name: string) =>
  new Ajv2020({ strict: false }).compile(JSON.parse(readFileSync(`schema/${name}.schema.json`, 'utf8')));

describe.each(specs)('the JSON Schemas and the real runs of %s', (spec) => {
  it('agree on each run as it is published', () => {
    const validate = schemaOf('published-run');
    for (const file of runsOf(spec)) {
      validate(JSON.parse(readFileSync(file, 'utf8')));
      expect(validate.errors, file).toBeNull();
    }
  });

  it('agree on the manifest and the series that are made of them', async () => {
    const branch = memoryBranch('of a test');
    const options = { retention: keepAll, squash: false, pages: pagesSource, now: new Date('2026-11-24') };
    const warn = (text: string) => expect.unreachable(text);
    for (const file of runsOf(spec)) {
      const record = readRunRecord(readFileSync(file, 'utf8'), file);
      await publish(record, null, branch, { ...options, warn }, new AbortController().signal);
    }
    for (const [name, file] of [
      ['manifest', 'manifest.json'],
      ['series', 'series/2026-11.json'],
    ] as const) {
      const validate = schemaOf(name);
      validate(JSON.parse((await branch.read(`wrkbench/${spec}/${file}`))!.toString()));
      expect(validate.errors, file).toBeNull();
    }
  });
});
