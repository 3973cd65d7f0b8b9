import { readFileSync } from 'node:fs';
import Ajv2020 from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { runRecordJsonSchema } from '../../../src/core/record/schema.ts';
import { type FixtureName, fixtureText } from '../report/fixture-records.ts';

const published = JSON.parse(readFileSync(new URL('../../../schema/run.schema.json', import.meta.url), 'utf8'));

describe('schema/run.schema.json', () => {
  it('is what the program itself checks by (else run `node scripts/json-schema.mjs`)', () => {
    expect(published).toEqual(JSON.parse(JSON.stringify(runRecordJsonSchema())));
  });

  const validate = new Ajv2020({ strict: false }).compile(published);

  it.each<FixtureName>(['apostol', 'abstract-rest', 'hardware-tax', 'small', 'troubled'])('takes %s', (name) => {
    validate(JSON.parse(fixtureText(name)));
    expect(validate.errors).toBeNull();
  });

  it('refuses a case without its status', () => {
    const record = JSON.parse(fixtureText('small'));
    delete record.cases[0].status;
    expect(validate(record)).toBe(false);
    expect(validate.errors?.[0]).toMatchObject({ instancePath: '/cases/0', params: { missingProperty: 'status' } });
  });
});
