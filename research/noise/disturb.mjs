// Steals half of a core at random moments, until it is told to stop:
//
//   taskset -c 0 node research/noise/disturb.mjs SEED
//
// Quiet stretches and bursts take turns, each of 0.2 to 5 s, every length as likely. In a burst it uses 10 ms of CPU time
// in every 20 ms; where it does not get them in time it wants the core all the while, as any busy process does. It ends on
// SIGTERM or with its standard input, and then prints what it took as one JSON object.
import { setTimeout as sleep } from 'node:timers/promises';

const SHORTEST_MS = 200;
const LONGEST_MS = 5000;
const PERIOD_MS = 20;
const BUSY_MS = 10;

/** Mulberry32 by Tommy Ettinger (public domain): numbers from 0 to 1. */
function seeded(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

function cpuMs() {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

const seed = Number(process.argv[2]);
if (!Number.isInteger(seed)) {
  process.stderr.write('usage: node research/noise/disturb.mjs SEED\n');
  process.exit(2);
}
const random = seeded(seed);
const length = () => SHORTEST_MS + random() * (LONGEST_MS - SHORTEST_MS);
const startedMs = performance.now();
let burstMs = 0;
let bursts = 0;

function end() {
  const wallSeconds = (performance.now() - startedMs) / 1000;
  const taken = { wallSeconds, burstSeconds: burstMs / 1000, cpuSeconds: cpuMs() / 1000, bursts };
  process.stdout.write(`${JSON.stringify(taken)}\n`, () => process.exit(0));
}
process.once('SIGTERM', end);
process.stdin.once('end', end).once('error', end).resume();

for (;;) {
  await sleep(length());
  const burstStart = performance.now();
  const burstEnd = burstStart + length();
  bursts += 1;
  for (let next = burstStart + PERIOD_MS; next <= burstEnd; next += PERIOD_MS) {
    const enough = cpuMs() + BUSY_MS;
    while (cpuMs() < enough);
    await sleep(Math.max(0, next - performance.now()));
  }
  burstMs += performance.now() - burstStart;
}
