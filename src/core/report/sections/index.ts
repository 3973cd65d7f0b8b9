import { absoluteLimits } from '../../comparison/absolute-limits.ts';
import type { Comparison } from '../../comparison/comparison.ts';
import type { RunRecord } from '../../record/run-record.ts';
import { comparisonBlocks, everything, warningBlocks } from '../comparison/blocks.ts';
import { headline as verdict } from '../comparison/headline.ts';
import type { Block, ReportDocument, Section } from '../document.ts';
import { unpairedHeadline } from '../unpaired.ts';
import { type ReportView, viewOf } from '../view.ts';
import { capacity } from './capacity.ts';
import { cost } from './cost.ts';
import { counts } from './counts.ts';
import { environment } from './environment.ts';
import { errors } from './errors.ts';
import { fairness } from './fairness.ts';
import { gateway } from './gateway.ts';
import { keepAlive } from './keep-alive.ts';
import { latencyDetail } from './latency-detail.ts';
import { limits } from './limits.ts';
import { method } from './method.ts';
import { rankingSection } from './ranking.ts';
import { ratios, referenceShares } from './ratios.ts';
import { rawData } from './raw-data.ts';
import { reproduce } from './reproduce.ts';
import { resources } from './resources.ts';
import { results } from './results.ts';
import { scaling } from './scaling.ts';
import { services } from './services.ts';
import { spread } from './spread.ts';
import { headline, summary } from './summary.ts';
import { warnings } from './warnings.ts';

/** In the order of the report. A new section is a file here and a line; null where a run has nothing for it. */
const sections: ((view: ReportView) => Section | null)[] = [
  summary,
  rankingSection,
  warnings,
  services,
  environment,
  fairness,
  method,
  capacity,
  results,
  ratios,
  referenceShares,
  keepAlive,
  scaling,
  spread,
  latencyDetail,
  errors,
  gateway,
  resources,
  cost,
  limits,
  counts,
  reproduce,
  rawData,
];

/** How a format arranges what all of them say. */
interface Arrangement {
  /** Endpoints that come before all others. */
  first: readonly string[];
  comparing(comparison: Comparison, record: RunRecord): Block[];
}

const plain: Arrangement = {
  first: [],
  comparing: (comparison, record) => comparisonBlocks(comparison, record, everything),
};

/** All that a report for people says, before it is written in a format. */
export function reportDocument(
  record: RunRecord,
  comparison: Comparison | null = null,
  { first: firstEndpoints, comparing } = plain,
): ReportDocument {
  const view = viewOf(record, firstEndpoints);
  const own = sections.flatMap((section) => section(view) ?? []);
  const title = record.spec.name;
  const [first, ...others] = own;
  const lead = { kind: 'paragraph' as const, text: headline(view) };
  if (comparison === null) {
    // A comparison tells its own warnings.
    const blocks = [...first!.blocks, ...warningBlocks(absoluteLimits(record).warnings)];
    const notCompared = unpairedHeadline(record);
    if (notCompared === null)
      return { title, headline: headline(view), mark: null, sections: [{ ...first!, blocks }, ...others] };
    const led = { ...first!, blocks: [lead, ...blocks] };
    return { title, headline: notCompared, mark: 'invalid', sections: [led, ...others] };
  }
  // The verdict takes the first line; what the candidate can do on its own then stands in the summary.
  const led = { ...first!, blocks: [lead, ...first!.blocks] };
  const { mark, text } = verdict(comparison, record);
  // Candidate against baseline, before all else: what changed, how sure that is, and how it was measured.
  const section = { id: 'comparison', title: 'Comparison', blocks: comparing(comparison, record) };
  return { title, headline: text, mark, sections: [section, led, ...others] };
}
