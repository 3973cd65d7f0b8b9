import { appendFileSync, existsSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { condensed, headerOf, machineOf } from './condense.ts';
import { DISTURBANCE, disturb } from './disturbance.ts';
import { bundleDigest, journalOfRun } from './measured-run.ts';
import { type NoiseHeader, type Recording, readRecording, recordingLine } from './noise-line.ts';
import { NOISE_FILES, NOISE_IMAGE, type NoiseSpecOptions, noiseSpec } from './noise-spec.ts';

interface Wanted extends NoiseSpecOptions {
  kind: 'quiet' | 'disturbed';
  rounds: number;
  out: string;
  seed: number;
}

const USAGE =
  'usage: record.mjs --kind quiet|disturbed --rounds N --out FILE [--pairing duet|interleaved] [--budget SECONDS] [--seed N]';

/** Runs in a row that give no round: something is wrong with the machine, not with one run. */
const MOST_EMPTY_RUNS = 3;

/** Runs the spec against itself until the file holds so many rounds. Resolves to the exit status. */
export async function record(args: string[], say: (line: string) => void): Promise<number> {
  const wanted = wantedOf(args);
  if (wanted === null) {
    say(USAGE);
    return 2;
  }
  let stopped = false;
  // The run that is under way gets the signal as well, and leaves what it has measured.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      stopped = true;
    });
  }
  let held = recordingIn(wanted);
  let run = held?.trials.at(-1)?.run ?? 0;
  for (let empty = 0; roundsOf(held) < wanted.rounds; ) {
    run += 1;
    const before = roundsOf(held);
    const added = await recordedRun(wanted, run, held, say);
    held = recordingIn(wanted);
    say(`run ${run}: ${added} rounds, ${roundsOf(held)} of ${wanted.rounds} in ${wanted.out}`);
    if (stopped) return 130;
    empty = roundsOf(held) > before ? 0 : empty + 1;
    if (empty === MOST_EMPTY_RUNS) {
      say(`${MOST_EMPTY_RUNS} runs in a row gave no round; look at what they said above.`);
      return 4;
    }
  }
  return 0;
}

function wantedOf(args: string[]): Wanted | null {
  const { values } = parseArgs({
    args,
    options: {
      kind: { type: 'string' },
      rounds: { type: 'string' },
      out: { type: 'string' },
      pairing: { type: 'string', default: 'duet' },
      budget: { type: 'string', default: '1800' },
      seed: { type: 'string', default: '20261120' },
    },
  });
  const { kind, out, pairing } = values;
  const [rounds, budgetSeconds, seed] = [values.rounds, values.budget, values.seed].map(Number);
  const numbersFit = [rounds, budgetSeconds, seed].every((value) => Number.isInteger(value) && value! > 0);
  if ((kind !== 'quiet' && kind !== 'disturbed') || (pairing !== 'duet' && pairing !== 'interleaved')) return null;
  if (out === undefined || !numbersFit) return null;
  return { kind, pairing, out, rounds: rounds!, budgetSeconds: budgetSeconds!, seed: seed! };
}

/** What the file holds already, its last line mended where it was cut off; null where there is no file. */
function recordingIn({ out, kind, pairing }: Wanted): Recording | null {
  if (!existsSync(out)) return null;
  const bytes = readFileSync(out);
  truncateSync(out, bytes.lastIndexOf(0x0a) + 1);
  const recording = readRecording(bytes.toString(), out);
  const { header } = recording;
  if (header.condition === kind && header.pairing === pairing) return recording;
  throw new Error(
    `${out} holds a ${header.condition} recording of ${header.pairing} trials: give another --out for what is ${kind} and ${pairing}.`,
  );
}

function roundsOf(held: Recording | null): number {
  return held?.trials.reduce((most, { round }) => Math.max(most, round), 0) ?? 0;
}

/** Rounds that one run added to the file. */
async function recordedRun(
  wanted: Wanted,
  run: number,
  held: Recording | null,
  say: (line: string) => void,
): Promise<number> {
  const seed = wanted.seed + run;
  const spec = noiseSpec(wanted);
  const disturbance =
    wanted.kind === 'disturbed' ? disturb(seed, held?.header.placement.service.split(/[,-]/)[0] ?? '0') : null;
  const entries = await journalOfRun({ spec, files: NOISE_FILES, baseline: `image:${NOISE_IMAGE}`, seed }, say);
  const taken = await disturbance?.stop();
  if (taken) {
    say(
      `run ${run}: ${taken.bursts} bursts took ${((taken.cpuSeconds / taken.wallSeconds) * 100).toFixed(1)} % of the core`,
    );
  }
  if (entries.length === 0) return 0;
  const roundsBefore = roundsOf(held);
  const trials = condensed(entries, { run, roundsBefore });
  if (held === null && trials.length > 0)
    writeFileSync(wanted.out, recordingLine({ header: headerFor(wanted, entries, spec) }));
  appendFileSync(wanted.out, trials.map(recordingLine).join(''));
  return trials.reduce((most, { round }) => Math.max(most, round), roundsBefore) - roundsBefore;
}

function headerFor(wanted: Wanted, entries: Parameters<typeof headerOf>[0], spec: string): NoiseHeader {
  const disturbance = wanted.kind === 'disturbed' ? { text: DISTURBANCE, seed: wanted.seed } : null;
  const machine = machineOf(headerOf(entries));
  return {
    format: 1,
    condition: wanted.kind,
    pairing: wanted.pairing,
    ...machine,
    tool: { ...machine.tool, bundle: bundleDigest() },
    counted: 'sent',
    disturbance,
    seed: wanted.seed,
    spec,
  };
}
