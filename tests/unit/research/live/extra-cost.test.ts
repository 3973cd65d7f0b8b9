import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
// @ts-expect-error It is plain JavaScript: the image of the server has nothing else.
import * as extraCost from '../../../../fixtures/servers/rest-node/extra-cost.mjs';

const burnersOf: (text: string | undefined) => (path: string) => (() => void) | undefined = extraCost.burnersOf;
const turnsFor: (us: number, turnsPerUs: number) => number = extraCost.turnsFor;

describe('what a request to the Node.js server burns', () => {
  it('is nothing where nothing is said, or 0', () => {
    for (const text of [undefined, '', '0']) expect(burnersOf(text)('/ping')).toBeUndefined();
  });

  it('is the same for every path where one number is said', () => {
    const burnOf = burnersOf('12.5');
    expect(burnOf('/ping')).toBeInstanceOf(Function);
    expect(burnOf('/users')).toBe(burnOf('/ping'));
  });

  it('is of its own for each path that is named, and nothing for others', () => {
    const burnOf = burnersOf('/ping=1.5,/users=8');
    expect(burnOf('/ping')).toBeInstanceOf(Function);
    expect(burnOf('/users')).toBeInstanceOf(Function);
    expect(burnOf('/users')).not.toBe(burnOf('/ping'));
    for (const path of ['/time', '/ping/', '/', '/db/ping']) expect(burnOf(path)).toBeUndefined();
  });

  it('is refused where it is no number', () => {
    expect(() => burnersOf('/ping=abc')).toThrow('BURN_US takes a number of microseconds');
    expect(() => burnersOf('much')).toThrow('and not much.');
  });

  it('is a number of turns that is found beforehand, for fractions of a microsecond too', () => {
    expect([0, 0.5, 1.5, 40].map((us) => turnsFor(us, 310))).toEqual([0, 155, 465, 12_400]);
  });

  it('grows with the microseconds', () => {
    // In a process of its own: what Vitest puts around the modules that it loads costs more than half a microsecond a call.
    const source = `import { burnersOf } from '${new URL('../../../../fixtures/servers/rest-node/extra-cost.mjs', import.meta.url)}';
      const usedUs = () => { const { user, system } = process.cpuUsage(); return user + system; };
      const quickestUs = (burn) => Math.min(...Array.from({ length: 20 }, () => {
        const before = usedUs();
        for (let call = 0; call < 2_000; call++) burn();
        return usedUs() - before;
      }));
      const [little, much] = [burnersOf('0.5')('/ping'), burnersOf('20')('/ping')];
      console.log(quickestUs(much) / quickestUs(little));`;
    const ratio = Number(
      execFileSync(process.execPath, ['--input-type=module', '--eval', source], { encoding: 'utf8' }),
    );
    // Forty times as much. How fast the CPU is changes while others use it, by far less than by ten or a hundred and sixty times.
    expect(ratio).toBeGreaterThan(10);
    expect(ratio).toBeLessThan(160);
  });
});
