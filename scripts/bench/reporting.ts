import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { strToU8, zipSync } from 'fflate';
import { zipReader } from '../../src/adapters/archive/zip.ts';
import type { Forge } from '../../src/app/ports/forge.ts';
import { artifactRecords } from '../../src/app/posting/artifact-records.ts';
import { rejudged } from '../../src/core/posting/judgement.ts';
import { runMarkdown, runText } from '../../src/core/posting/run-text.ts';
import { jobSummary } from '../../src/core/posting/summary.ts';
import type { RunRecord } from '../../src/core/record/run-record.ts';
import { maxRecordLength } from '../../src/core/record/run-record-file.ts';
import { madeUpRecord } from '../../tests/support/made-up/run-record.ts';
import { known } from '../../tests/unit/posting/made-up.ts';
import { atMost, type BenchResult, rounded } from './target.ts';

const MOST_SECONDS = 60;
const MOST_BYTES = 1e9;
const COMMENT_CHARACTERS = 60_000;

const record = (changes: Partial<RunRecord> = {}) => ({
  ...madeUpRecord({ seed: 1, rounds: 10, cases: [{}] }),
  ...changes,
});
const zipOf = (value: unknown) => zipSync({ 'run.json': strToU8(JSON.stringify(value)) }, { level: 1 });
const named = (own: RunRecord, name: string): RunRecord => ({ ...own, spec: { ...own.spec, name } });
const withConnections = (own: RunRecord, count: number): RunRecord => {
  const { load } = own.spec;
  const connections = Array.from({ length: count }, (_, at) => at + 1);
  return { ...own, spec: { ...own.spec, load: { ...load, wrk: { ...load.wrk!, connections, keepAlive: [true] } } } };
};
/** As many cases on both sides as fit. */
const withCases = (count: number, rounds: number) =>
  madeUpRecord({
    seed: 1,
    rounds,
    cases: Array.from({ length: count }, (_, at) => ({ endpoint: `path-${at % 100}`, connections: at + 1 })),
  });

/** The worst artifact of each kind that somebody could think of: spec → zip. */
const KINDS: Record<string, () => Record<string, Uint8Array>> = {
  'an honest run of 100 cases': () => ({ api: zipOf(named(withCases(100, 20), 'api')) }),
  'one file a thousand times': () => {
    const names = Array.from({ length: 1000 }, (_, at) => [`r${String(at).padStart(7, '0')}`, new Uint8Array(1e6)]);
    const zip = Buffer.from(zipSync(Object.fromEntries(names), { level: 9 })).toString('latin1');
    return { api: Buffer.from(zip.replaceAll(/r\d{7}/g, 'run.json'), 'latin1') };
  },
  'entries without end': () => {
    const names = Array.from({ length: 60_000 }, (_, at) => [`${at}`, new Uint8Array()]);
    return { api: zipSync(Object.fromEntries(names), { level: 0 }) };
  },
  'a spec of a billion cases': () => {
    const own = withConnections(record(), 65_000);
    const services = Array.from({ length: 1000 }, (_, at) => ({ ...own.spec.services[0]!, name: `s${at}` }));
    return { api: zipOf(named({ ...own, spec: { ...own.spec, services } }, 'api')) };
  },
  'a spec of 10,000 cases, of which none is there': () => {
    const own = withConnections(record(), 998);
    const endpoints = Array.from({ length: 10 }, (_, at) => ({ ...own.spec.endpoints[0]!, name: `e${at}` }));
    const services = own.spec.services.slice(0, 1);
    return { api: zipOf(named({ ...own, spec: { ...own.spec, services, endpoints }, cases: [] }, 'api')) };
  },
  'cases up to the limit of a record': () => ({ api: zipOf(named(withCases(2500, 8), 'api')) }),
  'as many cases as are read': () => ({ api: zipOf(named(withCases(10_000, 2), 'api')) }),
  'a record as long as is read': () => ({
    api: zipOf({ ...named(record(), 'api'), later: 'x'.repeat(maxRecordLength - 2_000_000) }),
  }),
  'fifty records as long as are read': () => {
    const long = 'x'.repeat(maxRecordLength - 2_000_000);
    const zips = Array.from({ length: 50 }, (_, at) => [`api-${at}`, null] as const);
    const zip = zipOf({ ...named(record(), 'api-0'), later: long });
    return Object.fromEntries(zips.map(([name]) => [name, zip]));
  },
  'globs that fit slowly': () => {
    const own = withCases(300, 8);
    const globs = Array.from({ length: 100 }, (_, at) => [`${'*a'.repeat(400)}${at}`, {}]);
    const gate = { ...own.comparing!.gate, cases: Object.fromEntries(globs) };
    return { api: zipOf(named({ ...own, comparing: { ...own.comparing!, gate } }, 'api')) };
  },
};

/** What a reporting job does with artifacts, but for what it asks of the forge. */
async function reported(zips: Record<string, Uint8Array>): Promise<string> {
  const names = Object.keys(zips);
  const forge = {
    artifacts: async () =>
      names.map((name, id) => ({ id, name: `wrkbench-${name}`, bytes: zips[name]!.length, expired: false })),
    downloadArtifact: async (id: number) => zips[names[id]!]!,
  } as unknown as Forge;
  const found = await artifactRecords(1, { forge, archives: zipReader(), now: () => new Date() });
  const judged = found.flatMap((each) =>
    'record' in each ? [rejudged(each.record, known({ baseSpec: each.record.spec }))] : [],
  );
  for (const each of judged) runMarkdown(runText(each, { storedAs: null, fail: 'regression' }), COMMENT_CHARACTERS);
  jobSummary(judged, { storedAs: null, fail: 'regression' });
  const [first] = found;
  return judged.length > 0 ? `${judged.length} read` : first !== undefined && 'failure' in first ? first.failure : '';
}

const kind = process.env.WRKBENCH_REPORTED;
if (kind !== undefined) {
  const zips = KINDS[kind]!();
  const before = process.resourceUsage().maxRSS;
  const started = performance.now();
  const said = await reported(zips);
  const seconds = (performance.now() - started) / 1000;
  const bytes = process.resourceUsage().maxRSS * 1024;
  process.stdout.write(JSON.stringify({ seconds, bytes, before: before * 1024, said }));
}

/** Each kind in a process of its own. Memory is its peak, with what making the artifact took. */
export async function figuresAndTargets(say: (line: string) => void): Promise<BenchResult> {
  const own = fileURLToPath(import.meta.url);
  const figures: BenchResult['figures'] = {};
  const targets: BenchResult['targets'] = [];
  for (const name of Object.keys(KINDS)) {
    const env = { ...process.env, WRKBENCH_REPORTED: name };
    const told = execFileSync(process.execPath, ['--max-old-space-size=4096', own], { env, encoding: 'utf8' });
    const { seconds, bytes, said } = JSON.parse(told) as { seconds: number; bytes: number; said: string };
    say(`${name}: ${rounded(seconds, 3)} s, ${Math.round(bytes / 1e6)} MB, ${said}`);
    figures[name] = said;
    targets.push(atMost(`${name}: seconds`, rounded(seconds, 3), MOST_SECONDS));
    targets.push(atMost(`${name}: bytes`, bytes, MOST_BYTES));
  }
  return { figures, targets };
}
