import { expect, it } from 'vitest';
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
