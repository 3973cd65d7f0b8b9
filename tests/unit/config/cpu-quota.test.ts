import { describe, expect, it } from 'vitest';
import { cpuQuotaOf, quotaUs } from '../../../src/core/config/cpu-quota.ts';
import { SpecError } from '../../../src/core/config/diagnostics.ts';
import { pairingOf } from '../../../src/core/config/pairing.ts';
import { readSpec } from '../../../src/core/config/read.ts';

const spec = (cpus: string, pairing: string) =>
  readSpec(
    `name: api\nservices:\n  go: {image: a, port: 80, cpus: ${cpus}}\nendpoints: {ping: /ping}\ngate: {pairing: ${pairing}}\n`,
    'wrkbench.yml',
  );

describe('a quota of CPU time', () => {
  it.each([
    [0.25, '0', 0.25],
    [1.5, '0-1', 1.5],
    [1.5, '0-3', 1.5],
    // Its CPUs are all that limits it.
    [1.5, '0', null],
    [1, '0-3', null],
    [undefined, '0-3', null],
    // Any CPU.
    [0.5, '', 0.5],
  ])('of %j CPUs on those of %j is %j', (cpus, service, quota) => {
    expect(cpuQuotaOf(cpus === undefined ? {} : { cpus }, { service })).toBe(quota);
  });

  it('is in whole microseconds of each 10 ms', () => {
    expect([0.1, 0.25, 1.5, 1 / 3].map(quotaUs)).toEqual([1000, 2500, 15_000, 3333]);
  });
});

describe('how both sides are loaded', () => {
  it('is in turn where a service has a part of a CPU, as the spec or the machine says elsewhere', () => {
    expect(pairingOf(spec('0.5', 'auto'))).toBe('interleaved');
    expect(pairingOf(spec('0.5', 'interleaved'))).toBe('interleaved');
    expect(pairingOf(spec('1', 'auto'))).toBeUndefined();
    expect(pairingOf(spec('1', 'duet'))).toBe('duet');
  });

  it("is in turn whatever the gate says where the baseline's spec, which governs CPUs, gives it a part", () => {
    const { services } = spec('0.5', 'auto');
    expect(pairingOf({ ...spec('1', 'duet'), services })).toBe('interleaved');
  });

  it('cannot be at the same time with a part of a CPU', () => {
    const messages: string[] = [];
    try {
      spec('1.5', 'duet');
    } catch (error) {
      if (!(error instanceof SpecError)) throw error;
      messages.push(...error.diagnostics.map(({ message }) => message));
    }
    expect(messages).toEqual([
      'gate.pairing is `duet`, and services.go.cpus is a part of a CPU: two sides with a quota each do not compete for the CPU; expected interleaved, or whole CPUs',
    ]);
  });
});
