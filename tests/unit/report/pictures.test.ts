import { describe, expect, it } from 'vitest';
import { pictureHtml } from '../../../src/core/report/html/pictures.ts';
import type { Picture } from '../../../src/core/report/pictures.ts';

const hostile = '<script>alert("1")</script>\u202e';
const escaped = '&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt;⟨U+202E⟩';

const bars: Picture = {
  form: 'bars',
  title: hostile,
  note: hostile,
  measures: [{ title: hostile, note: hostile }],
  rows: [
    { label: hostile, tone: 'best', bars: [{ value: 50, figure: hostile, range: [40, 100] }] },
    { label: 'none', tone: 'invalid', bars: [null] },
  ],
};
const stacks: Picture = {
  form: 'stacks',
  title: hostile,
  note: '',
  parts: ['Service', hostile],
  rows: [{ label: hostile, tone: 'plain', values: [1, 3], figure: '400%' }],
};
const lines: Picture = {
  form: 'lines',
  title: hostile,
  note: '',
  steps: ['p50', hostile],
  extent: [1, 100],
  logarithmic: true,
  ticks: [{ value: 10, figure: hostile }],
  lines: [
    {
      label: hostile,
      points: [
        { value: 1, figure: '1' },
        { value: 100, figure: '100' },
      ],
    },
    { label: 'gap', points: [null, { value: 10, figure: '10' }] },
  ],
};

describe('a picture', () => {
  it.each([bars, stacks, lines])('of $form holds no markup of others, no style and no id', (picture) => {
    const html = pictureHtml(picture);
    expect(html).toContain(escaped);
    expect(html).not.toMatch(/<script|\sstyle=|\sid=|\son\w+=/);
    expect(html).toContain('aria-hidden="true"');
  });

  it('of bars has each on the scale of its measure, with a line from the lowest to the highest', () => {
    const html = pictureHtml(bars);
    expect(html).toContain(
      '<svg class="bar best"><rect width="50%" height="100%"/><g class="whisker"><line x1="40%" x2="100%"',
    );
    expect(html).toContain('<svg class="bar"></svg><span class="bar-figure">–</span>');
  });

  it('of stacks has one part after the other', () => {
    expect(pictureHtml(stacks)).toContain(
      '<rect class="part-1" x="0%" width="25%" height="100%"/><rect class="part-2" x="25%" width="75%" height="100%"/>',
    );
  });

  it('of lines has equal factors in equal steps, and a gap where there is no figure', () => {
    const html = pictureHtml(lines);
    expect(html).toContain('<g class="series-1"><line x1="3%" y1="260" x2="97%" y2="0"/>');
    expect(html).toContain('<line class="grid" x1="0" x2="100%" y1="130" y2="130"/>');
    expect(html).toMatch(/<g class="series-2"><svg class="mark-place" x="97%" y="130">/);
  });

  it('of many lines tells them apart by dashes once the colours are used up', () => {
    const many = Array.from({ length: 10 }, (_, at) => ({ label: `line ${at}`, points: lines.lines[0]!.points }));
    const html = pictureHtml({ ...lines, lines: many });
    expect(html).toContain('class="series-1 dashed"');
    expect(new Set(html.match(/<g class="series-[^"]+"/g)).size).toBe(10);
  });
});
