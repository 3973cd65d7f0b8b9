import { readFileSync } from 'node:fs';
import type { RunRecord } from '../../../src/core/record/run-record.ts';
import { readRunRecord } from '../../../src/core/record/run-record-file.ts';

export type FixtureName = 'apostol' | 'abstract-rest' | 'hardware-tax' | 'small' | 'troubled' | 'compared';

export function fixtureText(name: FixtureName): string {
  return readFileSync(new URL(`../../../fixtures/records/${name}.json`, import.meta.url), 'utf8');
}

/** One that tells nothing of endpoints beside their names, nor how long its rounds took. */
export function recordWithoutPaths(): RunRecord {
  const { spec, timing, ...record } = fixtureRecord('compared');
  const { comparingSeconds: _, ...others } = timing;
  return { ...record, spec: { ...spec, endpoints: [] }, timing: others };
}

/** A fresh copy each time, read as the product reads it. */
export function fixtureRecord(name: FixtureName): RunRecord {
  return readRunRecord(fixtureText(name), `${name}.json`);
}
