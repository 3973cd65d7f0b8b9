import { parentPort, workerData } from 'node:worker_threads';
import { counted } from '../../src/core/format/figures.ts';
import { type Random, seededRandom } from '../../src/core/statistics/random.ts';
import { generatorKinds } from './generators.ts';
import type { Kind } from './kind.ts';
import { markdownKind } from './markdown.ts';
import { nameKind } from './names.ts';
import { pagesKind } from './pages.ts';
import { recordKind } from './records.ts';
import { repositoryKind } from './repositories.ts';
import { specKind } from './specs.ts';

/** No input may take longer, in milliseconds of CPU: others may use the machine as well, and nothing that is read waits. */
const LONGEST_MS = 1000;
/** Of one kind: more of them say the same. */
const MOST_FAILURES = 5;

interface Call {
  seed: number;
  inputs: number;
  kind: string | null;
  at: number | null;
  place: Int32Array;
}

interface Tally {
  failures: number;
  slowest: { ms: number; kind: string; at: number };
}

const { seed, inputs, kind: wanted, at, place } = workerData as Call;
const say = (line: string) => parentPort!.postMessage({ line });

const kinds: Kind[] = [
  ...generatorKinds(),
  specKind(),
  repositoryKind(),
  recordKind(),
  nameKind(),
  pagesKind(),
  markdownKind(),
];
parentPort!.postMessage({ names: kinds.map(({ name }) => name) });
const chosen = kinds.filter(({ name }) => wanted === null || name === wanted);
if (chosen.length === 0) say(`--kind ${wanted}: expected one of ${kinds.map(({ name }) => name).join(', ')}.`);

const shares = chosen.reduce((sum, { share }) => sum + share, 0);
const all: Tally = { failures: chosen.length === 0 ? 1 : 0, slowest: { ms: 0, kind: '', at: 0 } };
const started = performance.now();
let done = 0;
for (const kind of chosen) {
  const isLast = kind === chosen.at(-1);
  const number = at !== null ? 1 : isLast ? inputs - done : Math.floor((inputs * kind.share) / shares);
  done += number;
  tried(kind, at ?? 0, number);
}
const { slowest } = all;
say(`slowest: ${slowest.kind} ${slowest.at}, ${slowest.ms.toFixed(1)} ms of CPU`);
say(
  `${counted(done, 'input')} in ${((performance.now() - started) / 1000).toFixed(1)} s, ${counted(all.failures, 'failure')}`,
);
parentPort!.postMessage({ failures: all.failures });

function tried(kind: Kind, first: number, number: number): void {
  let refused = 0;
  let failures = 0;
  let longest = 0;
  const began = performance.now();
  for (let index = first; index < first + number && failures < MOST_FAILURES; index += 1) {
    Atomics.store(place, 0, kinds.indexOf(kind));
    Atomics.store(place, 1, index);
    const input = kind.input(randomOf(kind, index));
    // Before it is read, which may have no end.
    if (at !== null) say(`input ${JSON.stringify(input)}`);
    const { ms, failure, isRead } = readingOf(kind, input);
    if (!isRead) refused += 1;
    longest = Math.max(longest, ms);
    if (ms > all.slowest.ms) all.slowest = { ms, kind: kind.name, at: index };
    if (failure === null) continue;
    failures += 1;
    say(`FAILED ${kind.name} ${index}: ${failure}`);
    say(`  input ${JSON.stringify(input).slice(0, 1500)}`);
    say(`  npm run fuzz -- --seed ${seed} --kind ${kind.name} --at ${index}`);
  }
  if (failures === MOST_FAILURES) say(`${kind.name}: no more after ${MOST_FAILURES} failures`);
  all.failures += failures;
  say(
    `${kind.name}: ${counted(number, 'input')}, ${refused} of them refused, slowest ${longest.toFixed(1)} ms of CPU, ${((performance.now() - began) / 1000).toFixed(1)} s`,
  );
}

/** The same for the same seed, kind and number, whatever else is read: any input can be had again by itself. */
function randomOf(kind: Kind, index: number): Random {
  const mixed =
    Math.imul(seed ^ Math.imul(kinds.indexOf(kind) + 1, 0x9e3779b1), 0x85ebca77) ^ Math.imul(index + 1, 0xc2b2ae3d);
  return seededRandom(mixed);
}

function readingOf(kind: Kind, input: string): { ms: number; failure: string | null; isRead: boolean } {
  try {
    let [ms, read] = timed(() => kind.read(input));
    // The first of a kind brings code and schemas with it; and the collector may just have had its day.
    if (ms > LONGEST_MS) ms = Math.min(ms, timed(() => kind.read(input))[0]);
    const isRead = typeof read === 'function' ? read() : read;
    return { ms, failure: ms > LONGEST_MS ? `took ${(ms / 1000).toFixed(1)} s` : null, isRead };
  } catch (error) {
    const stack = error instanceof Error ? (error.stack ?? error.message) : String(error);
    return { ms: 0, failure: stack.split('\n').slice(0, 8).join('\n  '), isRead: false };
  }
}

function timed<T>(read: () => T): [number, T] {
  const before = process.cpuUsage();
  const result = read();
  const { user, system } = process.cpuUsage(before);
  return [(user + system) / 1000, result];
}
