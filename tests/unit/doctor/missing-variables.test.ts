import { describe, expect, it } from 'vitest';
import { withMissingVariables } from '../../../src/app/doctor.ts';
import { readSpec } from '../../../src/core/config/read.ts';

const spec = readSpec(
  `name: a
services: {go: {image: a, port: 80, env: {A: "\${env.KEY}", B: "\${env.WORD}"}}}
endpoints: {ping: {path: /ping, headers: {x-key: "\${env.KEY}"}}}
`,
  'wrkbench.yml',
);
const machine = { ok: true, runtime: 'docker' as const, findings: [] };

describe('what is missing on this machine', () => {
  it('are variables that the spec names and nobody has set', () => {
    const none = withMissingVariables(machine, spec, { value: () => undefined });
    expect([none.ok, none.findings.map(({ code, severity }) => [code, severity])]).toEqual([
      false,
      [['variables', 'problem']],
    ]);
    expect(none.findings[0]!.message).toBe(
      'The spec names `${env.KEY}` (services.go.env.A), `${env.WORD}` (services.go.env.B), and KEY, WORD are not set. Set them before the call, as in `KEY=… WORD=… wrkbench run`; in a workflow, name them in the input `secrets` and give their values.',
    );
  });

  it('are none that are set, be it to nothing', () => {
    expect(withMissingVariables(machine, spec, { value: () => '' })).toEqual(machine);
  });
});
