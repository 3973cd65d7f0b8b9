import type { Load } from '../../config/resolved.ts';
import { counted, grouped, share, span } from '../../format/figures.ts';
import type { LoadDefinition, SpecLoad } from '../../generators/load.ts';
import { GENERATOR_NAMES, generators } from '../../generators/registry.ts';
import type { RunRecord } from '../../record/run-record.ts';
import type { Block, Inline, Section } from '../document.ts';
import { preparingTime } from '../preparing-time.ts';
import type { ReportView } from '../view.ts';

/** How it was measured: what each generator was told, and the procedure. */
export function method({ record }: ReportView): Section {
  const { load } = record.spec;
  const items = loadItems(load);
  const steps: Inline[] = [
    'Each service is started, waited for until it answers, and its answers are checked against what the spec expects.',
    'Queries, rows and bytes of each request are counted in a pass without load.',
    `Services and cases are taken in a shuffled order (seed ${record.seed}), one after the other; ${pauses(load)}.`,
    ...sideBySide(record),
    'While the load runs, CPU time of service, database and generator and the memory of the service are sampled.',
    'After the load the answers are checked again. A case whose figures are not what they claim to be (errors, a ' +
      'generator at its own limit, a rate that was not held, keep-alive that was not off, …) is invalid: its figures ' +
      'stay, marked, and are ranked and compared nowhere.',
  ];
  const blocks: Block[] = [
    ...(items.length === 0 ? [] : [{ kind: 'list' as const, items }]),
    { kind: 'heading', text: 'Procedure' },
    { kind: 'list', items: steps },
    {
      kind: 'paragraph',
      text: `Under load for ${span(record.timing.loadSeconds)} of ${span(record.timing.wallSeconds)} in all${preparingTime(record.timing)}.`,
    },
  ];
  return { id: 'method', title: 'Methodology', blocks };
}

/** What each generator was told, a line each. */
export function loadItems(load: Load): Inline[] {
  return GENERATOR_NAMES.flatMap((name) => {
    const own: SpecLoad | null = load[name];
    if (own === null) return [];
    const { connections, keepAlive, durationSeconds, timeoutSeconds } = own;
    const parts = [
      generators[name].load.driven(own),
      connectionsOf(connections),
      ...(durationSeconds === undefined ? [] : [`${span(durationSeconds)} for each case`]),
      keepAliveOf(keepAlive),
      ...(timeoutSeconds === undefined ? [] : [`timeout ${span(timeoutSeconds)}`]),
    ];
    const definition: LoadDefinition = generators[name].load;
    const script = definition.scriptOf(own);
    const asked: Inline = script === null ? '' : [', requests by the script ', { code: script }];
    return [[{ strong: name }, `: ${parts.join(', ')}`, asked]];
  });
}

function sideBySide({ comparing }: RunRecord): Inline[] {
  if (comparing === undefined) return [];
  const together =
    comparing.mode === 'duet' ? 'loaded at the same time on the same CPUs' : 'loaded in turn, a few seconds each';
  return [
    `Baseline and candidate are restarted for each round and ${together} to be compared. The result tables show the ` +
      'candidate loaded by itself, so their figures differ from those beside a change.',
  ];
}

/** `10, 100 and 1,000 connections` */
function connectionsOf(connections: number[]): string {
  const before = connections.slice(0, -1).map(grouped);
  const last = connections.at(-1) ?? 0;
  return before.length === 0 ? counted(last, 'connection') : `${before.join(', ')} and ${grouped(last)} connections`;
}

function keepAliveOf(modes: boolean[]): string {
  if (modes.length > 1) return 'keep-alive on and off';
  return modes[0] === false ? 'keep-alive off' : 'keep-alive on';
}

function pauses({ warmUp, coolDownSeconds }: Load): string {
  const rest = span(coolDownSeconds);
  if (warmUp.kind === 'fixed' && warmUp.seconds === 0) return `no warm-up, ${rest} of rest after each`;
  const before =
    warmUp.kind === 'fixed'
      ? `${span(warmUp.seconds)} of warm-up before each`
      : `warm-up before each until a window of ${span(warmUp.windowSeconds)} answers at most ${share(warmUp.tolerance).replace('.0%', '%')} more than those before it (${span(warmUp.maxSeconds)} at most)`;
  return `${before}, ${rest} of rest after it`;
}
