import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { BLOCK_NAMES } from '../../../../src/core/report/written/blocks.ts';
import { readParts } from '../../../../src/core/report/written/markers.ts';
import { writtenReport } from '../../../../src/core/report/written/report-text.ts';
import { OWN_TEMPLATE } from '../../../../src/core/report/written/template.ts';
import { rendered } from '../../../support/github-markdown/rendered.ts';
import { type FixtureName, fixtureRecord } from '../fixture-records.ts';
import { apostol, apostolOf, runsOf } from './given.ts';

const authored = readFileSync(new URL('authored.md', import.meta.url), 'utf8');

/** What is not ours to change: all but blocks and values. */
function authorsText(text: string): string {
  return readParts(text)
    .map((part) => {
      if (part.kind === 'text') return part.text;
      return part.kind === 'block' ? part.begin + part.end : part.open + part.close;
    })
    .join('');
}

/** Of a report the text of one block. */
function blockIn(text: string, name: string): string {
  return text
    .split(`<!-- wrkbench:begin ${name}`)[1]!
    .split('-->\n')
    .slice(1)
    .join('-->\n')
    .split('<!-- wrkbench:end')[0]!;
}

describe('BENCHMARK.md, begun from our template', () => {
  it('of the Apostol benchmark, whole', async () => {
    const { text } = writtenReport(OWN_TEMPLATE, [{ ...runsOf(fixtureRecord('apostol'))[0]!, folder: 'results' }]);
    await expect(text).toMatchFileSnapshot('__snapshots__/apostol.md');
  });

  it('of the same service direct and through PgBouncer, whole', async () => {
    const runs = runsOf(apostolOf('direct', 'go', 'nodejs'), apostolOf('pooled', 'go', 'nodejs'));
    runs[0]!.record.spec.database!.pooler = null;
    for (const each of runs[1]!.record.cases) each.metrics.throughput!.value *= 0.9;
    const { text } = writtenReport(OWN_TEMPLATE, runs);
    await expect(text).toMatchFileSnapshot('__snapshots__/pooled.md');
  });

  it('has every block that there is', () => {
    const names = readParts(OWN_TEMPLATE).flatMap((part) => (part.kind === 'block' ? [part.name] : []));
    expect(names.toSorted()).toEqual(BLOCK_NAMES.toSorted());
  });

  it.each<FixtureName>(['apostol', 'abstract-rest', 'hardware-tax', 'small', 'troubled', 'compared'])(
    'made anew of itself is the same: %s',
    (name) => {
      const runs = runsOf(fixtureRecord(name));
      const { text } = writtenReport(OWN_TEMPLATE, runs);
      expect(writtenReport(text, runs).text).toBe(text);
    },
  );
});

describe('what an author wrote', () => {
  it('stays around tables and within sentences whose figures are new', async () => {
    const report = writtenReport(authored, runsOf(fixtureRecord('apostol')));
    expect(report).toMatchObject({ blocks: 3, values: 7 });
    expect(authorsText(report.text)).toBe(authorsText(authored));
    expect(rendered(report.text).text).toContain('with 100 it has 46% of nginx');
    await expect(report.text).toMatchFileSnapshot('__snapshots__/authored.md');
  });

  it('keeps its line endings, its mark of order and a missing last line break', () => {
    const runs = runsOf(fixtureRecord('apostol'));
    const crlf = `\ufeff# Mine\r\n\r\n<!-- wrkbench:begin ranking -->\r\n<!-- wrkbench:end -->\r\n\r\nLast`;
    const { text } = writtenReport(crlf, runs);
    expect(text.startsWith('\ufeff# Mine\r\n\r\n<!-- wrkbench:begin ranking -->\r\n\r\n6 tests')).toBe(true);
    expect(text.endsWith('<!-- wrkbench:end -->\r\n\r\nLast')).toBe(true);
    expect(text.replaceAll('\r\n', '')).not.toContain('\n');
    expect(writtenReport(text, runs).text).toBe(text);
  });

  it('stands under a heading of its own where nothing was measured, and without one where it asked for ours', () => {
    const runs = runsOf(fixtureRecord('apostol'));
    const { text } = writtenReport(
      '## Счётчики\n\n<!-- wrkbench:begin counts -->\n<!-- wrkbench:end -->\n\n<!-- wrkbench:begin resources heading -->\nold\n<!-- wrkbench:end -->\n',
      runs,
    );
    expect(text).toBe(
      '## Счётчики\n\n<!-- wrkbench:begin counts -->\n\n*Not measured.*\n\n<!-- wrkbench:end -->\n\n<!-- wrkbench:begin resources heading -->\n<!-- wrkbench:end -->\n',
    );
  });
});

describe('a marker that cannot be understood', () => {
  const end = '\n<!-- wrkbench:end -->';
  it.each([
    ['# Mine\n', 1, /there is no block and no value of wrkbench to fill/],
    [`x\n\n<!-- wrkbench:begin resluts -->${end}`, 3, /no block `resluts`\. Is `results` meant\?/],
    [`<!-- wrkbench:begin -->${end}`, 1, /a block has no name/],
    ['a\n<!-- wrkbench:begin results -->\nb', 2, /the block `results` does not end/],
    [
      `<!-- wrkbench:begin results -->\n<!-- wrkbench:begin ratios -->${end}`,
      2,
      /within the block `results` of line 1/,
    ],
    ['a\n<!-- wrkbench:end -->', 2, /a block ends here that has not begun/],
    ['<!-- wrkbench:begin results -->\n<!-- wrkbench:end ratios -->', 2, /began in line 1 is `results`/],
    [`    <!-- wrkbench:begin results -->${end}`, 1, /a line of its own, not indented/],
    [`a <!-- wrkbench:begin results -->${end}`, 1, /a line of its own, not indented/],
    ['\n<!-- wrkbench:beginn results -->', 2, /the marker `wrkbench:beginn` is unknown\. Is wrkbench:begin meant\?/],
    [`<!-- wrkbench:begin results onyl="x" -->${end}`, 1, /the option `onyl` is unknown\. Is `only` meant\?/],
    [`<!-- wrkbench:begin results only -->${end}`, 1, /`only` has no value/],
    [`<!-- wrkbench:begin results only="x" only="y" -->${end}`, 1, /stands there twice/],
    [`<!-- wrkbench:begin results "x" -->${end}`, 1, /is not understood: options are as/],
    [`<!-- wrkbench:begin results only="pink" -->${end}`, 1, /only=`pink` fits no case/],
    [`<!-- wrkbench:begin method only="ping" -->${end}`, 1, /`method` is about the whole run/],
    [`<!-- wrkbench:begin results base="REST" -->${end}`, 1, /`base` is one of the block `across`/],
    [
      `<!-- wrkbench:begin results run="pooled" -->${end}`,
      1,
      /no run is named `pooled`; there are `REST API Benchmark`/,
    ],
    ['a\nb <!-- wrkbench:value cpu -->x', 2, /a value does not end in its paragraph/],
    ['a <!-- wrkbench:value cpu -->x\n\ny<!-- /wrkbench:value -->', 1, /a value does not end in its paragraph/],
    ['a <!-- wrkbench:value cpu --><!-- wrkbench:value os -->x<!-- /wrkbench:value -->', 1, /does not end/],
    [
      'a\n<!-- wrkbench:value cpu -->x<!-- /wrkbench:value -->',
      2,
      /begins its line, which Markdown then takes for HTML/,
    ],
    ['a\n> - <!-- wrkbench:value cpu -->x<!-- /wrkbench:value -->', 2, /begins its line/],
    ['x<!-- /wrkbench:value -->', 1, /a value ends here that has not begun/],
    ['a <!-- wrkbench:value -->x<!-- /wrkbench:value -->', 1, /a value names nothing/],
  ])('%j', (text, line, sentence) => {
    const act = () => writtenReport(text, runsOf(fixtureRecord('apostol')));
    expect(act).toThrow(sentence);
    expect(act).toThrow(expect.objectContaining({ name: 'BadMarker', line }));
  });
});

describe('names of strangers', () => {
  it('become no markup, and no marker when the report is made again', () => {
    const record = fixtureRecord('troubled');
    record.spec.endpoints[0]!.expect.body = 'a\n<!-- wrkbench:end -->\n<!-- wrkbench:begin raw -->';
    record.spec.database = { ...apostol('x').spec.database!, settings: { a: '1\n<!-- wrkbench:end -->' } };
    const runs = runsOf(record);
    const { text } = writtenReport(OWN_TEMPLATE, runs);
    expect(text).toContain('<!\u200b-- wrkbench:end -->');
    expect(writtenReport(text, runs).text).toBe(text);
    expect(authorsText(text)).toBe(authorsText(OWN_TEMPLATE));
    const { shape, targets } = rendered(text);
    const elements = new Set([...shape.matchAll(/<[^>]*>/g)].map(([tag]) => tag.replace(/wrkbench:.* -->/, '…')));
    expect([...elements].filter((tag) => !/^<(?:!--.*|\/?(?:details|summary|span|code))>?$/.test(tag))).toEqual([]);
    expect(targets).toEqual([]);
  });
});

describe('several runs', () => {
  it('of different services under the same conditions stand in one table', () => {
    const { text } = writtenReport(OWN_TEMPLATE, runsOf(apostolOf('a', 'nginx', 'go'), apostolOf('b', 'python')));
    expect(blockIn(text, 'runs')).toContain('Each run measured other services');
    expect(blockIn(text, 'ranking')).toMatch(/\| \*\*go\*\* [\s\S]*\| python /);
    expect(blockIn(text, 'references')).toContain('python of nginx');
    expect(blockIn(text, 'services')).toMatch(/### a\n[\s\S]*### b\n/);
    expect(blockIn(text, 'method')).not.toContain('### a');
  });

  it('from machines that are not alike are never held against each other, and it is said', () => {
    const runs = runsOf(apostolOf('a', 'nginx', 'go'), apostolOf('b', 'python'));
    runs[1]!.record.environment.cpuModel = 'Xeon';
    const { text } = writtenReport(OWN_TEMPLATE, runs);
    expect(blockIn(text, 'runs')).toContain(
      '> [!WARNING]\n> a was measured on AMD EPYC 7763 64-Core Processor, b on Xeon. Figures of different machines are not comparable',
    );
    expect(blockIn(text, 'results')).toMatch(/### a\n[\s\S]*#### ping[\s\S]*### b\n/);
    expect(text).not.toContain('python of nginx');
  });

  it('may be asked for one by one', () => {
    const marked = '<!-- wrkbench:begin ranking run="b" -->\n<!-- wrkbench:end -->\n';
    const { text } = writtenReport(marked, runsOf(apostol('a'), apostol('b', 0.5)));
    expect(text).not.toContain('###');
    expect(text.match(/\| \*\*apostol-v2\*\* /g)).toHaveLength(1);
  });
});

it('shows the verdict where the run was compared', () => {
  const record = fixtureRecord('compared');
  const runs = runsOf(record);
  expect(blockIn(writtenReport(OWN_TEMPLATE, runs).text, 'comparison')).toBe('');
});
