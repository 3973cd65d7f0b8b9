// needs: nothing
import { describe, expect, it } from 'vitest';
import { withoutEndedLine, withoutReadyLine } from '../../../src/adapters/generators/child.ts';
import { StartLine } from '../../../src/adapters/generators/start-line.ts';

describe('a start line', () => {
  const lineOf = (lanes: number, onStart = () => {}) => {
    const log: string[] = [];
    const line = new StartLine(lanes, () => {
      log.push('start');
      onStart();
    });
    const starter = (name: string) => ({
      go: () => log.push(`${name} goes`),
      refuse: (reason: unknown) => log.push(`${name} is refused: ${reason}`),
    });
    return { log, line, starter };
  };

  it('lets all go when the last is ready, in their order and after the reading before', () => {
    const { log, line, starter } = lineOf(2);
    line.lane(1).ready(starter('second'));
    expect(log).toEqual([]);
    line.lane(0).ready(starter('first'));
    expect(log).toEqual(['start', 'first goes', 'second goes']);
  });

  it('does not wait for one that left, before or after the other was ready', () => {
    for (const leavesFirst of [true, false]) {
      const { log, line, starter } = lineOf(2);
      if (leavesFirst) line.lane(0).leave();
      line.lane(1).ready(starter('second'));
      if (!leavesFirst) line.lane(0).leave();
      expect(log).toEqual(['start', 'second goes']);
    }
  });

  it('starts nothing where all have left, or once one has left that was ready', () => {
    const { log, line, starter } = lineOf(2);
    line.lane(0).ready(starter('first'));
    line.lane(0).leave();
    line.lane(0).ready(starter('first'));
    line.lane(1).leave();
    expect(log).toEqual([]);
  });

  it('starts once, whoever leaves later', () => {
    const { log, line, starter } = lineOf(1);
    line.lane(0).ready(starter('it'));
    line.lane(0).leave();
    line.lane(0).ready(starter('it'));
    expect(log).toEqual(['start', 'it goes']);
  });

  it('refuses all where the reading before fails', () => {
    const { log, line, starter } = lineOf(2, () => {
      throw new Error('the meter is gone');
    });
    line.lane(0).ready(starter('first'));
    line.lane(1).ready(starter('second'));
    expect(log).toEqual([
      'start',
      'first is refused: Error: the meter is gone',
      'second is refused: Error: the meter is gone',
    ]);
  });
});

describe('the line that says that a program is ready', () => {
  const read = (...chunks: string[]) => {
    const log: string[] = [];
    const take = withoutReadyLine(
      'ready',
      () => log.push('(ready)'),
      (chunk) => log.push(chunk.toString()),
    );
    for (const chunk of chunks) take(Buffer.from(chunk));
    return log;
  };

  it('is taken off the output, in whatever pieces it comes', () => {
    expect(read('ready\n', 'one', 'ready\n')).toEqual(['(ready)', 'one', 'ready\n']);
    expect(read('re', 'ady', '\n', 'one')).toEqual(['(ready)', 'one']);
    expect(read('rea', 'dy\none')).toEqual(['one', '(ready)']);
  });

  it('is not what only begins like it, and that is kept whole', () => {
    expect(read('rea', 'l\n', 'ready\n')).toEqual(['real\n', 'ready\n']);
    expect(read('Running\n', 'ready\n')).toEqual(['Running\n', 'ready\n']);
  });
});

describe('the line that says that a load has ended', () => {
  const read = (...chunks: string[]) => {
    const log: string[] = [];
    const take = withoutEndedLine(
      'ended',
      () => log.push('(ended)'),
      (chunk) => log.push(chunk.toString()),
    );
    for (const chunk of chunks) take(Buffer.from(chunk));
    return log;
  };

  it('is taken off the output, in whatever pieces it comes and whatever stands around it', () => {
    expect(read('one\n', 'ended\n')).toEqual(['one\n', '(ended)']);
    expect(read('one\nended\ntwo\n', 'three\n')).toEqual(['one\ntwo\n', '(ended)', 'three\n']);
    expect(read('one\nen', 'de', 'd\n')).toEqual(['one\n', '(ended)']);
  });

  it('is not what only begins like it, and that is kept whole', () => {
    expect(read('one\nend', 's\n', 'two\n')).toEqual(['one\n', 'ends\n', 'two\n']);
    expect(read('enende', 'd\n')).toEqual(['en', '(ended)']);
  });
});
