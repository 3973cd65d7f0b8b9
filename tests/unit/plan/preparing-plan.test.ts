import { describe, expect, it } from 'vitest';
import { planReport } from '../../../src/app/plan.ts';
import { specWith } from './fixtures.ts';

const DATABASE = 'database: {image: postgres}\n';
const PREPARE = `${DATABASE}prepare: [{job: [manage.py, migrate]}, {sql: seed.sql}, {start: true}]\n`;
const ALONE = 'gate: {baseline: none}\n';
const ONE = '{wrk: {connections: 10, keep-alive: on}}';

/** What stands between the cases and what a comparison detects. */
function said(text: string): string[] {
  const parts = text.trimEnd().split('\n\n');
  return parts.filter((part) => /^(?:Preparing|Putting)/.test(part));
}

describe('what a plan says of the data', () => {
  it('is that preparing comes on top, and that only a run can tell how long it takes', () => {
    const { text, json } = planReport(specWith(ONE, PREPARE), { seed: 1 });
    expect(said(text)).toEqual(['Preparing (3 steps, once for each side) comes on top; a run tells how long it took.']);
    expect(text).toContain('in all, without building images and preparing data.');
    expect(json).toMatchObject({ preparing: { steps: 3, services: 1, sides: 2, lastSeconds: null } });
    expect(json).not.toHaveProperty('restores');
  });

  it('is how long it took in the last run, where there is one', () => {
    const { text, json } = planReport(specWith(ONE, PREPARE + ALONE), { seed: 1 }, null, 'auto', 250);
    expect(said(text)).toEqual(['Preparing (3 steps) comes on top; it took 4 min 10 s in the last run.']);
    expect(json).toMatchObject({ preparing: { sides: 1, lastSeconds: 250 } });
  });

  it('counts the services that are prepared: a reference is not', () => {
    const spec = specWith(ONE, PREPARE);
    const [own] = spec.services;
    const withOther = { ...spec, services: [own!, { ...own!, name: 'other' }] };
    const withReference = { ...spec, services: [own!, { ...own!, name: 'nginx', role: 'reference' as const }] };
    expect(said(planReport(withOther, { seed: 1 }).text)).toEqual([
      'Preparing (3 steps for each of 2 services, once for each side) comes on top; a run tells how long it took.',
    ]);
    expect(planReport(withReference, { seed: 1 }).json).toMatchObject({ preparing: { services: 1 } });
  });

  it('is how often data are put back, where a case writes', () => {
    const spec = specWith(ONE, DATABASE);
    const [ping] = spec.endpoints;
    const writing = { ...spec, endpoints: [...spec.endpoints, { ...ping!, name: 'create', method: 'POST' }] };
    const only = (pattern: string) => planReport(writing, { seed: 1, only: pattern });
    // Its unloaded pass, and between its warm-up and its trial.
    expect(only('create').json).toMatchObject({ restores: { count: 2, seconds: { of10MB: 1.6, of1GB: 5 } } });
    expect(said(only('create').text)).toEqual([
      'Putting data back (2 times) comes on top: about 2 s for 10 MB of data, 5 s for 1 GB.',
    ]);
    expect(only('ping').json).not.toHaveProperty('restores');
    const { services } = planReport(writing, { seed: 1 }).json as { services: { cases: { endpoint: string }[] }[] };
    const isLast = services[0]!.cases.at(-1)!.endpoint === 'create';
    expect(planReport(writing, { seed: 1 }).json).toMatchObject({ restores: { count: isLast ? 2 : 3 } });
  });

  it('is nothing where nothing is prepared and nothing is kept', () => {
    const spec = specWith(ONE);
    const [ping] = spec.endpoints;
    const { text, json } = planReport({ ...spec, endpoints: [{ ...ping!, method: 'POST' }] }, { seed: 1 });
    expect(said(text)).toEqual([]);
    expect(json).not.toHaveProperty('preparing');
    expect(json).not.toHaveProperty('restores');
    expect(text).toContain('in all, without building images.');
  });
});
