import { shortSha } from '../../baseline/commit.ts';
import type { ComparedSide, Comparison } from '../../comparison/comparison.ts';
import { counted, span } from '../../format/figures.ts';
import { GENERATOR_NAMES } from '../../generators/registry.ts';
import type { RunRecord } from '../../record/run-record.ts';
import type { Block, Inline } from '../document.ts';
import { joined } from '../document.ts';
import { DECIDING_URL } from '../links.ts';
import { preparingTime } from '../preparing-time.ts';
import { loadItems } from '../sections/method.ts';
import { clippedLine, clippedText } from './clipped-text.ts';
import { hasIntervals, intervalLevel } from './interval-level.ts';
import { isCompared, roundsOf } from './judged-figures.ts';
import { reproduceCommands } from './reproduction.ts';

/** How both sides were had and measured, for whoever doubts the verdict; how they were to be, where nothing was. `record` is the candidate's. */
export function measured(comparison: Comparison, record: RunRecord): Block[] {
  const items: Inline[] = [
    side('Baseline', comparison.baseline),
    side('Candidate', comparison.candidate),
    ...(isCompared(comparison) ? ofFigures(comparison) : []),
  ];
  return [{ kind: 'list', items: [...items, ...circumstances(record)] }, reproduction(record)];
}

function ofFigures(comparison: Comparison): Inline[] {
  const how = `${modes[comparison.mode]}${repetitions(comparison)}.`;
  if (!hasIntervals(comparison)) return [how];
  return [
    how,
    [
      `An interval holds the true change with a probability of at least ${intervalLevel(comparison)}; a verdict needs all of it beyond the limit (`,
      { url: DECIDING_URL, text: 'how it is decided' },
      ').',
    ],
  ];
}

/** The same of a run that was compared with nothing. */
export function measuredWithoutBaseline(record: RunRecord): Block[] {
  const { unpaired, source, services, spec } = record;
  const commit = source.sha === null ? 'the files as they were' : `commit ${shortSha(source.sha)}`;
  const started = services.filter(({ variant, artifact }) => variant === 'candidate' && artifact !== '');
  const images = Object.fromEntries(started.map(({ service, artifact }) => [service, artifact]));
  const items: Inline[] = [
    side('Candidate', { origin: unpaired?.candidate.text ?? commit, images }),
    ...(hasFigures(record)
      ? [
          'Each service ran by itself, and its cases were loaded one after the other.',
          ...loadItems(spec.load).map((item): Inline => [item, '.']),
        ]
      : []),
  ];
  return [{ kind: 'list', items: [...items, ...circumstances(record)] }, reproduction(record)];
}

/** Whether anything of it was measured. */
export function hasFigures({ cases }: RunRecord): boolean {
  return cases.some(({ metrics }) => Object.keys(metrics).length > 0);
}

/** Where and with what it was measured, and for how long. */
function circumstances({ environment, timing, seed, tool }: RunRecord): Inline[] {
  const versions = ([...GENERATOR_NAMES, 'docker', 'postgres'] as const).flatMap((name) =>
    environment.versions[name] === null ? [] : [`${name} ${clippedText(environment.versions[name], 40)}`],
  );
  const machine = `${environment.cpuCount} x ${clippedText(environment.cpuModel, 80)}`;
  return [
    `${machine}, ${span(timing.wallSeconds)}, ${span(timing.loadSeconds)} of it under load${preparingTime(timing, ', ')}, seed ${seed}.`,
    `${[...versions, `wrkbench ${clippedText(tool.version, 40)}`].join(', ')}.`,
  ];
}

function reproduction(record: RunRecord): Block {
  return { kind: 'code', language: 'bash', text: reproduceCommands(record).join('\n') };
}

/** `Baseline: commit 3f2c1ab (merge-base with main), built in this run; api sha256:…`. */
function side(title: string, { origin, images }: Pick<ComparedSide, 'origin' | 'images'>): Inline {
  const started = Object.entries(images)
    .slice(0, 20)
    .map(
      ([service, image]): Inline => [`${clippedText(service, 60)} `, { code: clippedText(shortDigest(image), 120) }],
    );
  return [{ strong: title }, `: ${clippedLine(origin)}`, started.length === 0 ? '' : '; ', ...joined(started, ', ')];
}

/** `sha256:` and twelve digits tell images apart as Docker's own lists do. */
function shortDigest(image: string): string {
  return image.replace(/(sha256:[0-9a-f]{12})[0-9a-f]{52}/g, '$1');
}

const modes: Record<Comparison['mode'], string> = {
  duet: 'Both versions were loaded at the same time on the same CPUs, with equal shares',
  interleaved: 'Both versions were loaded in turn, a few seconds each, on the same machine',
  stored:
    'The candidate was compared with stored numbers of past runs: the two were never on a machine at the same time',
};

function repetitions(comparison: Comparison): string {
  const [fewest, most] = roundsOf(comparison) ?? [0, 0];
  if (most === 0) return '';
  const noun = comparison.mode === 'stored' ? 'past run' : 'round';
  return fewest === most ? `, ${counted(most, noun)}` : `, ${fewest} to ${counted(most, noun)}`;
}
