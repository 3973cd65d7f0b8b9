import { describe, expect, it } from 'vitest';
import type { Forge } from '../../../src/app/ports/forge.ts';
import { artifactRecords } from '../../../src/app/posting/artifact-records.ts';
import { comparisonOf } from '../../../src/core/comparison/comparison-of.ts';
import { anchorComparison, creptLines, withAnchor } from '../../../src/core/posting/anchor.ts';
import { runMarkdown, runText } from '../../../src/core/posting/run-text.ts';
import { runVerdict } from '../../../src/core/posting/verdict.ts';
import type { RunRecord } from '../../../src/core/record/run-record.ts';
import { inlineText } from '../../../src/core/report/inline-text.ts';
import { judged, REPORTED, recordOf, slower } from './made-up.ts';

const anchored = recordOf({ ...slower, id: '20261120-093802-0a1b2c' });

describe('a run against the anchor', () => {
  it('has a line of its own, and changes neither verdict nor headline', () => {
    const own = judged();
    const shown = withAnchor(own, comparisonOf(anchored));
    expect(runVerdict(shown)).toBe(runVerdict(own));
    const [text, without] = [runText(shown, REPORTED), runText(own, REPORTED)];
    expect(inlineText(text.headline)).toBe(inlineText(without.headline));
    const line = runMarkdown(text, 60_000)
      .split('\n')
      .find((each) => each.startsWith('**Since the anchor**'));
    expect(line).toContain(' (does not gate): Regression: ');
    expect(line).toMatch(/ costs \d+(\.\d)? % more CPU per request$/);
    expect(line).not.toContain('🔴');
    expect(runMarkdown(without, 60_000)).not.toContain('Since the anchor');
  });

  it('is known by the name that the spec has for it, beside the commit that it is', () => {
    const gate = { anchor: 'commit:v1.0' };
    const shown = withAnchor(judged({ gate }), comparisonOf(recordOf({ ...slower, gate })));
    const line = runMarkdown(runText(shown, REPORTED), 60_000)
      .split('\n')
      .find((each) => each.startsWith('**Since the anchor**'));
    expect(line).toMatch(/^\*\*Since the anchor\*\* v1\.0, commit <code>3f2c1ab<\/code> .* \(does not gate\): /);
    expect(creptLines([shown])).toEqual([]);
  });

  it('is none of this run where it is of another commit or spec, or measured no baseline', () => {
    const record = recordOf();
    const { comparing: _, ...alone } = anchored;
    expect(anchorComparison(record, anchored)).not.toBeNull();
    expect(anchorComparison(record, alone)).toBeNull();
    expect(anchorComparison(record, { ...anchored, source: { ...anchored.source, sha: 'f'.repeat(40) } })).toBeNull();
    expect(anchorComparison(record, { ...anchored, spec: { ...anchored.spec, name: 'other' } })).toBeNull();
  });

  it('is read of the artifact of the run, and costs the run nothing where it cannot be', async () => {
    const anchorOf = async (anchor: string | null) => {
      const record: RunRecord = recordOf();
      const files = new Map([
        ['run.json', JSON.stringify(record)],
        ...(anchor === null ? [] : [['anchor/run.json', anchor] as const]),
      ]);
      const artifact = { id: 1, name: `wrkbench-${record.spec.name}`, bytes: 1, expired: false };
      const forge = { artifacts: async () => [artifact], downloadArtifact: async () => new Uint8Array() };
      const archives = { text: (_: Uint8Array, name: string) => files.get(name) ?? null, texts: () => new Map() };
      const [found] = await artifactRecords(1, { forge: forge as unknown as Forge, archives, now: () => new Date(0) });
      expect(found).toMatchObject({ record: { id: record.id } });
      return found !== undefined && 'record' in found ? found.anchor : undefined;
    };
    expect((await anchorOf(JSON.stringify(anchored)))?.gate.regressions).not.toEqual([]);
    expect(await anchorOf(null)).toBeUndefined();
    expect(await anchorOf('{')).toBeUndefined();
  });
});
