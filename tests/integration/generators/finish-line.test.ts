// needs: nothing
import { describe, expect, it } from 'vitest';
import { FinishLine } from '../../../src/adapters/generators/finish-line.ts';

describe('a finish line', () => {
  /** Its log, and the end of what is done while connections are open. */
  const lineOf = (lanes: number) => {
    const log: string[] = [];
    let over!: (failure?: Error) => void;
    const done = new Promise<void>((resolve, reject) => {
      over = (failure) => (failure === undefined ? resolve() : reject(failure));
    });
    const line = new FinishLine(lanes, () => {
      log.push('all ended');
      return done;
    });
    const end = (index: number) =>
      line
        .lane(index)
        .ended()
        .then(
          () => log.push(`${index} closes`),
          (failure: Error) => log.push(`${index} is refused: ${failure.message}`),
        );
    const settled = () => new Promise((resolve) => setImmediate(resolve));
    return { log, line, end, over, settled };
  };

  it('keeps all open until the last has ended and what is done then is done', async () => {
    const { log, end, over, settled } = lineOf(2);
    end(1);
    await settled();
    expect(log).toEqual([]);
    end(0);
    await settled();
    expect(log).toEqual(['all ended']);
    over();
    await settled();
    expect(log).toEqual(['all ended', '1 closes', '0 closes']);
  });

  it('does not wait for one that left, before or after the other had ended', async () => {
    for (const leavesFirst of [true, false]) {
      const { log, line, end, over, settled } = lineOf(2);
      if (leavesFirst) line.lane(0).leave();
      end(1);
      if (!leavesFirst) line.lane(0).leave();
      over();
      await settled();
      expect(log).toEqual(['all ended', '1 closes']);
    }
  });

  it('does nothing where all have left', async () => {
    const { log, line, settled } = lineOf(2);
    line.lane(0).leave();
    line.lane(1).leave();
    await settled();
    expect(log).toEqual([]);
  });

  it('asks once, whoever leaves later', async () => {
    const { log, line, end, over, settled } = lineOf(1);
    end(0);
    over();
    await settled();
    line.lane(0).leave();
    await settled();
    expect(log).toEqual(['all ended', '0 closes']);
  });

  it('refuses all where the reading fails', async () => {
    const { log, end, over, settled } = lineOf(2);
    end(0);
    end(1);
    over(new Error('the meter is gone'));
    await settled();
    expect(log).toEqual(['all ended', '0 is refused: the meter is gone', '1 is refused: the meter is gone']);
  });
});
