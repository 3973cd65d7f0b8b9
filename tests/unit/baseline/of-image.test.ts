import { describe, expect, it } from 'vitest';
import type { Context } from '../../../src/app/baseline/candidate.ts';
import { baselineOfImage } from '../../../src/app/baseline/of-image.ts';
import { readSpec } from '../../../src/core/config/read.ts';
import { quickened } from '../../../src/core/config/selection.ts';

const spec = readSpec(
  'name: api\nservices: {go: {image: acme/go, port: 80, duration: 30s}}\nendpoints: {ping: /ping}\n',
  'wrkbench.yml',
);

it('is loaded for as short a time as the candidate, also where the service has a duration of its own', () => {
  const request = { spec, specFile: '/work/wrkbench.yml', runtime: 'docker', shortened: quickened };
  const context = { request, candidateOrigin: { recordId: null, sha: null, text: 'here' } } as unknown as Context;
  const plan = baselineOfImage(context, { kind: 'image', service: null, reference: 'acme/go:1' });
  expect(plan.spec.services).toEqual([
    { ...spec.services[0], image: { kind: 'image', reference: 'acme/go:1' }, durationSeconds: 2 },
  ]);
  expect(plan.spec.load).toEqual(quickened(spec).load);
});

describe('in a pull request', () => {
  it('is asked what the base asks, like the candidate, and says what is gone and what is not in the gate', () => {
    const governing = {
      ...spec,
      endpoints: [...spec.endpoints, { ...spec.endpoints[0]!, name: 'pong', path: '/pong' }],
    };
    const cheaper = { ...spec, endpoints: [{ ...spec.endpoints[0]!, path: '/quick' }] };
    const request = { spec: cheaper, specFile: '/work/wrkbench.yml', runtime: 'docker' };
    const here = { recordId: null, sha: null, text: 'here' };
    const context = { request, candidateOrigin: here, governing } as unknown as Context;
    const plan = baselineOfImage(context, { kind: 'image', service: null, reference: 'acme/go:1' });
    expect(plan.spec.endpoints).toEqual(spec.endpoints);
    expect(new Set(plan.missing.map(({ endpoint: { name } }) => name))).toEqual(new Set(['pong']));
    expect(plan.warnings.map(({ code }) => code)).toEqual(['requests-differ']);
  });
});
