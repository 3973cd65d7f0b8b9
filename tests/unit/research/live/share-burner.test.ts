import { describe, expect, it } from 'vitest';
// @ts-expect-error It is plain JavaScript: the image of the server has nothing else.
import * as shareBurnerFile from '../../../../fixtures/servers/rest-node/share-burner.mjs';

interface Seen {
  processUs: number;
  threadUs: number;
  requests: readonly number[];
}
interface Account {
  dueTurns(now: Seen): number;
  spent(turns: number, us: number): void;
}
const shareAccount: (shares: readonly number[], usPerTurn: number) => Account = shareBurnerFile.shareAccount;
const shareBurner: (text: string) => (path: string) => void = shareBurnerFile.shareBurner;

/** A process of which a turn takes `usPerTurn`, to look costs 10 us, and requests cost what is said. */
function made(shares: readonly number[], { told = 0.002, usPerTurn = 0.002 } = {}) {
  const account = shareAccount(shares, told);
  const seen = { processUs: 0, threadUs: 0, requests: shares.map(() => 0) };
  let burntUs = 0;
  const look = (timeTurn = usPerTurn) => {
    seen.processUs += 10;
    seen.threadUs += 10;
    const turns = account.dueTurns({ ...seen, requests: [...seen.requests] });
    const us = turns * usPerTurn;
    burntUs += us;
    seen.processUs += us;
    seen.threadUs += us;
    account.spent(turns, turns * timeTurn);
  };
  look();
  return {
    look,
    /** What is burnt in so many ticks, in each of which `us` are spent on each of `requests`, by path. */
    burntUs(ticks: number, us: number, requests: readonly number[]) {
      const before = burntUs;
      for (let tick = 0; tick < ticks; tick++) {
        requests.forEach((count, path) => {
          seen.requests[path]! += count;
          seen.processUs += count * us;
        });
        look();
      }
      return burntUs - before;
    },
    others(us: number) {
      seen.processUs += us;
      look();
    },
  };
}

describe('a share of what requests cost the process', () => {
  it('is burnt beside them, without what the thread itself costs', () => {
    // 1,000 ticks of 20 requests at 40 us each: 800,000 us.
    expect(made([0.05]).burntUs(1000, 40, [20])).toBeCloseTo(40_000, -2);
  });

  it('follows what they cost from the first tick on', () => {
    const { burntUs } = made([0.5]);
    expect(burntUs(100, 40, [20])).toBeCloseTo(40_000, -2);
    expect(burntUs(100, 80, [20])).toBeCloseTo(80_000, -2);
  });

  it('is of its own for each path, by how often each was asked', () => {
    expect(made([0.1, 0]).burntUs(1000, 40, [10, 10])).toBeCloseTo(40_000, -2);
    expect(made([0.1, 0]).burntUs(1000, 40, [0, 20])).toBe(0);
  });

  it('waits until it is 100 us, and loses none of them', () => {
    const { burntUs } = made([0.05]);
    expect(burntUs(9, 200, [1])).toBe(0);
    expect(burntUs(1, 200, [1])).toBeCloseTo(100, 6);
  });

  it('goes by how long turns take under load, by the middle one of the latest', () => {
    // A turn takes half as long again as was known at the start: the first 100 us are 150.
    const slower = made([0.5], { told: 0.002, usPerTurn: 0.003 });
    slower.burntUs(100, 40, [20]);
    expect(slower.burntUs(100, 40, [20])).toBeCloseTo(40_000, -2);
    const interrupted = made([0.5]);
    interrupted.burntUs(100, 40, [20]);
    // Others had the CPU in one of them.
    interrupted.look(1);
    expect(interrupted.burntUs(100, 40, [20])).toBeCloseTo(40_000, -2);
  });

  it('leaves out what the process does while nothing is asked of it', () => {
    const { others, burntUs } = made([0.5]);
    for (let tick = 0; tick < 5; tick++) others(0);
    others(1_000_000);
    expect(burntUs(10, 40, [20])).toBeCloseTo(4000, 6);
  });

  it('is refused where it is no number, or names no path', () => {
    for (const text of ['/ping=much', '0.06', 'ping=0.06', '']) {
      expect(() => shareBurner(text)).toThrow('BURN_SHARE takes /PATH=SHARE');
    }
  });
});
