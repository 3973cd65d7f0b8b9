import { describe, expect, it } from 'vitest';
import { clippedLine, clippedText } from '../../../../src/core/report/comparison/clipped-text.ts';

describe('a text that is cut', () => {
  it('has no half of a command at its end', () => {
    const text = 'It does not build. Try `docker build --file server/Dockerfile server`';
    expect(clippedLine(text, 80)).toBe(text);
    expect(clippedLine(text, 60)).toBe('It does not build. Try …');
    expect(clippedText(`See \`a.log\`, and ${text}`, 70)).toBe('See `a.log`, and It does not build. Try …');
  });

  it('is cut anywhere else, also behind a command', () => {
    expect(clippedLine('Run `make`, which takes a long time', 20)).toBe('Run `make`, which t…');
    expect(clippedLine('a `lone backtick')).toBe('a `lone backtick');
  });
});
