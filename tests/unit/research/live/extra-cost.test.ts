import { describe, expect, it } from 'vitest';
// @ts-expect-error It is plain JavaScript: the image of the server has nothing else.
import * as extraCost from '../../../../fixtures/servers/rest-node/extra-cost.mjs';

const burnersOf: (text: string | undefined) => (path: string) => (() => void) | undefined = extraCost.burnersOf;
const turnsFor: (us: number, turnsPerUs: number) => number = extraCost.turnsFor;

interface Process {
  ownUs(): number;
  nowMs(): number;
  work(turns: number): void;
}
const shareBurner: (share: number, of: Process) => { burn(): void; tick(): void } = extraCost.shareBurner;
const shareBurnersOf: (text: string | undefined) => (path: string) => (() => void) | undefined =
  extraCost.shareBurnersOf;

const usedUs = () => {
  const { user, system } = process.cpuUsage();
  return user + system;
};

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
    const [little, much] = [burnersOf('0.5')('/ping')!, burnersOf('20')('/ping')!];
    const quickestUs = (burn: () => void) => {
      const measured = Array.from({ length: 20 }, () => {
        const before = usedUs();
        for (let call = 0; call < 2_000; call++) burn();
        return usedUs() - before;
      });
      return Math.min(...measured);
    };
    // Forty times as much. How fast the CPU is changes while others use it, by far less than by ten or a hundred and sixty times.
    const ratio = quickestUs(much) / quickestUs(little);
    expect(ratio).toBeGreaterThan(10);
    expect(ratio).toBeLessThan(160);
  });
});

describe('a share of what requests cost', () => {
  it('is of its own for each path that is named, and nothing for others', () => {
    const burnOf = shareBurnersOf('/ping=0.06,/users=0.1');
    expect(burnOf('/ping')).toBeInstanceOf(Function);
    expect(burnOf('/users')).not.toBe(burnOf('/ping'));
    expect(burnOf('/time')).toBeUndefined();
    expect(shareBurnersOf(undefined)('/ping')).toBeUndefined();
  });

  it('is refused where it is no number, or names no path', () => {
    for (const text of ['/ping=much', '0.06', 'ping=0.06', '']) {
      expect(() => shareBurnersOf(text)).toThrow('BURN_SHARE takes /PATH=SHARE');
    }
  });

  /** A process of which a turn takes 2 ns, and whose clock goes on with its CPU time. */
  const made = () => {
    const clock = { us: 0, burntUs: 0 };
    const work = (turns: number) => {
      clock.us += 0.002 * turns;
      clock.burntUs += 0.002 * turns;
    };
    const burner = shareBurner(0.5, { ownUs: () => clock.us, nowMs: () => clock.us / 1000, work });
    /** What is burnt for each of so many requests that cost `costUs` by themselves. */
    const burntUs = (costUs: number, requests: number) => {
      const before = clock.burntUs;
      for (let request = 0; request < requests; request++) {
        burner.burn();
        clock.us += costUs;
      }
      return (clock.burntUs - before) / requests;
    };
    return { clock, burner, burntUs };
  };

  it('follows what requests cost, whatever it burns itself', () => {
    const { burntUs } = made();
    burntUs(40, 20_000);
    // Half of it, and 6 us in 1,000 requests to time a turn.
    expect(burntUs(40, 10_000)).toBeCloseTo(20.006, 2);
    burntUs(80, 20_000);
    expect(burntUs(80, 10_000)).toBeCloseTo(40.006, 1);
  });

  it('begins anew after it was idle: what the process did meanwhile is no cost of these requests', () => {
    const { clock, burner, burntUs } = made();
    burntUs(40, 20_000);
    burner.tick();
    clock.us += 5_000_000;
    burner.tick();
    // Nothing in the first hundred, which tell what it costs now.
    expect(burntUs(10, 100)).toBe(0);
    expect(burntUs(10, 1000)).toBeCloseTo(5, 1);
  });

  it('goes on where a request came in time', () => {
    const { burner, burntUs } = made();
    burntUs(40, 20_000);
    burner.tick();
    expect(burntUs(40, 100)).toBeCloseTo(20, 0);
  });
});
