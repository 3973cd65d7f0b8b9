import { describe, expect, it } from 'vitest';
import type { Comparison, GateEntry } from '../../../src/core/comparison/comparison.ts';
import { median } from '../../../src/core/statistics/quantile.ts';
import { leftBy, type Replayed, reasonsIn, replayed, stories } from '../support/replay.ts';

/**
 * Stories with real load, told again from the journals that they left: a run record, its verdict and all that people read of it are
 * functions of the journal. tests/full measures them, and `npm run journals` records them anew; their figures are those of the latest
 * recording, so that what is asserted here holds for any of them.
 */

/** Printed lines are broken where they are too long. */
const prose = (text: string) => text.replaceAll(/\s+/g, ' ');
const named = (entries: readonly GateEntry[]) => entries.map(({ caseKey, metric }) => [caseKey, metric]);
const firstLineOf = (report: string) => report.split('\n')[2]!;
const compared = (story: string): Replayed & { comparison: Comparison } => {
  const told = replayed(story);
  return { ...told, comparison: told.comparison! };
};
const percent = (share: number) => `${(share * 100).toFixed(1)} %`;

describe.each(stories)('the journal of %s', (story) => {
  it('gives what the run printed, wrote and ended with', async () => {
    const { terminal, report, status } = replayed(story);
    const [printed, wrote, ended] = ['terminal.txt', 'report.md', 'status.json'].map((name) => leftBy(story, name));
    if (printed !== null && printed !== undefined) await expect(terminal).toMatchFileSnapshot(printed.path);
    if (wrote !== null && wrote !== undefined) await expect(report).toMatchFileSnapshot(wrote.path);
    // Of a run that was interrupted, or asked to fail where it is undecided, the call knows more.
    const OF_THE_CALL = ['interrupted', 'limits-not-judged'];
    if (ended && !OF_THE_CALL.includes(story)) expect({ status }).toEqual(JSON.parse(ended.text));
  });
});

describe('a change that costs 100 us more of CPU per request', () => {
  const { record, comparison, terminal, report, status } = compared('slower');
  const cpu = comparison.cases[0]!.metrics['cpu-per-request']!;

  it('is a regression of that metric alone, in duets, and fails the gate', () => {
    expect(comparison.mode).toBe('duet');
    expect(named(comparison.gate.regressions)).toEqual([['go/ping/direct/wrk/keep-alive/16', 'cpu-per-request']]);
    expect(cpu.verdict).toBe('regression');
    expect(status).toBe(1);
  });

  it('is said first, with how much more that is', () => {
    const sentence = `costs ${percent(cpu.change!)} more CPU per request`;
    expect(firstLineOf(report)).toBe(`🔴 Regression: \`go · /ping\` ${sentence}`);
    expect(terminal).toContain(`\n✗ Regression: go · /ping ${sentence}\n`);
  });

  it('is explained by the service, as the duets have it', () => {
    const { service } = comparison.cases[0]!.explanation!.cpuUs!;
    expect(service).toBeGreaterThan(81);
    expect(service).toBeLessThan(128);
    const base = record.cases.find(({ variant }) => variant === 'baseline')!.metrics['cpu-per-request']!;
    const duetUs = median(base.samples.filter(({ mode }) => mode === 'duet').map(({ value }) => value));
    expect(Math.abs(cpu.change! - service / duetUs)).toBeLessThan(0.05);
    expect(cpu.difference).toBe(cpu.candidate! - cpu.baseline!);
  });
});

describe('a change of just about the limit', () => {
  const { comparison, report, status } = compared('undecided');
  const inconclusive = [['go/ping/direct/wrk/keep-alive/16', 'cpu-per-request']];

  it('is undecided, which is said first and passes', () => {
    expect(named(comparison.gate.inconclusive)).toEqual(inconclusive);
    expect(comparison.gate).toMatchObject({ passed: true, regressions: [], notMeasured: [], invalid: [] });
    const { adjusted, threshold } = comparison.cases[0]!.metrics['cpu-per-request']!;
    expect(adjusted![0]).toBeLessThan(threshold!.value);
    expect(adjusted![1]).toBeGreaterThan(threshold!.value);
    expect(firstLineOf(report)).toMatch(/^🟡 Could not tell: up to [\d.]+ % higher/);
    expect(status).toBe(0);
  });

  it('fails where it is asked to', () => {
    const strict = replayed('undecided', { failOnInconclusive: true });
    expect(strict.comparison!.gate.passed).toBe(false);
    expect(strict.status).toBe(1);
  });
});

describe('a change that sends one query more', () => {
  const { record, comparison, terminal, report, status } = compared('new-query');

  it('is a regression of the endpoint, counted exactly, and names the statement', () => {
    expect(named(comparison.gate.regressions)).toEqual([['node/db-ping/*', 'queries-per-request']]);
    const [endpoint] = comparison.endpoints;
    expect(endpoint!.metrics['queries-per-request']).toMatchObject({ baseline: 1, candidate: 2, difference: 1 });
    expect(endpoint!.explanation!.statements.map(({ query }) => query)).toContain('SELECT 1');
    expect(status).toBe(1);
  });

  it('is said first', () => {
    const sentence = 'sends 2 queries per request instead of 1';
    expect(firstLineOf(report)).toBe(`🔴 Regression: \`node · /db/ping\` ${sentence}`);
    expect(terminal).toContain(`\n✗ Regression: node · /db/ping ${sentence}\n`);
    expect(prose(terminal)).toContain('New statement, 1 call per request: SELECT 1.');
  });

  it('has latencies of duets', () => {
    const modes = record.cases.flatMap(({ metrics }) => metrics['latency-p50']!.samples.map(({ mode }) => mode));
    expect(modes).toContain('duet');
  });
});

describe('a change that sends another header and answers more', () => {
  it('is compared by the request of the baseline: a regression of bytes, and a warning', () => {
    const { record, comparison, status } = compared('other-request');
    expect(comparison.cases.map(({ presence }) => presence)).toEqual(['both']);
    expect(comparison.gate).toMatchObject({ passed: false, invalid: [], new: [] });
    expect(comparison.gate.regressions.map(({ metric }) => metric)).toEqual(['bytes-per-response']);
    expect(comparison.warnings.map(({ code }) => code)).toContain('requests-differ');
    expect(record.spec.endpoints.map(({ path }) => path)).toEqual(['/ping']);
    expect(record.comparing!.ownRequests).toEqual({ 'node/ping': 'GET /v2/ping with other headers' });
    expect(status).toBe(1);
  });
});

describe('a regression that is accepted', () => {
  it('passes, with the reason and what it was compared with', () => {
    const { comparison, terminal, status } = compared('accepted');
    expect(comparison.baseline.origin).toMatch(/merge-base with main/);
    expect(comparison.gate.accepted.map(({ metric, reason }) => [metric, reason])).toEqual([
      ['bytes-per-response', 'it signs now'],
    ]);
    expect(comparison.gate.passed).toBe(true);
    expect(terminal).toContain(comparison.baseline.sha!.slice(0, 7));
    expect(terminal).toContain('it signs now');
    expect(status).toBe(0);
  });
});

describe('a change that leaves the images alone', () => {
  it('is not measured, says so, and passes', () => {
    const { record, comparison, terminal, status } = compared('same-images');
    expect(comparison.skipped?.message).toMatch(/same/);
    expect(comparison.gate.passed).toBe(true);
    expect(record.cases).toEqual([]);
    expect(terminal).toMatch(/same/);
    expect(status).toBe(0);
  });
});

describe('a comparison that was interrupted and resumed', () => {
  const before = compared('interrupted');
  const after = compared('resumed');

  it('is invalid as long as it is interrupted', () => {
    expect(before.record.interrupted?.message).toBe('The run was interrupted by SIGINT; what it had measured is kept.');
    expect(before.comparison.gate.passed).toBe(false);
    expect(before.status).not.toBe(0);
  });

  it('is the same run with more rounds, none of them twice, and one verdict over all of them', () => {
    expect(after.record.id).toBe(before.record.id);
    expect(after.record.interrupted).toBeNull();
    expect(after.record.comparing?.baseline).toEqual(before.record.comparing?.baseline);
    for (const { key, variant, metrics } of after.record.cases) {
      const samples = metrics.throughput!.samples;
      const pairs = samples.map(({ round, mode, pair }) => `${round} ${mode} ${pair}`);
      expect(new Set(pairs).size, variant).toBe(pairs.length);
      const kept = before.record.cases.find((each) => each.key === key && each.variant === variant)!;
      expect(samples).toEqual(expect.arrayContaining(kept.metrics.throughput!.samples));
      expect(samples.length).toBeGreaterThan(kept.metrics.throughput!.samples.length);
    }
    expect(after.comparison.gate).toMatchObject({ passed: true, inconclusive: [] });
    expect(after.status).toBe(0);
  });
});

describe('a comparison with an anchor as well', () => {
  const { comparison, terminal, report, status } = compared('anchor');

  it('tells what has come together since the release, and does not gate on it', () => {
    expect(comparison.gate).toMatchObject({ passed: true, regressions: [] });
    expect(named(comparison.anchor!.gate.regressions)).toEqual([
      ['go/ping/direct/wrk/keep-alive/16', 'bytes-per-response'],
    ]);
    expect(comparison.anchor!.mode).toBe('duet');
    expect(comparison.anchor!.warnings).toEqual([]);
    expect(prose(terminal)).toMatch(
      /Since the anchor, image .* \(does not gate\): .*answers with [\d,]+ B instead of \d+ B/,
    );
    expect(report).toMatch(/\*\*Since the anchor\*\*, .* \(does not gate\): Regression: /);
    expect(status).toBe(0);
  });
});

describe('a baseline that cannot be measured', () => {
  it('since it does not start: its case is invalid, the candidate measured, and the gate fails', () => {
    const { record, comparison, terminal, status } = compared('baseline-not-ready');
    expect(record.cases.find(({ variant }) => variant === 'candidate')?.metrics.throughput?.value).toBeGreaterThan(0);
    expect(comparison.gate.invalid.map(({ caseKey }) => caseKey)).toEqual(['go/ping/direct/wrk/keep-alive/16']);
    expect(prose(terminal)).toContain('✗ Invalid: go · /ping: baseline: go was asked for http');
    expect(terminal).toMatch(/✗ Invalid: go · \/ping: baseline: [\s\S]*answers\s+with\s+status\s+503/);
    expect(status).toBe(1);
  });

  it('since its image is not available: the candidate is measured, and it is no pass', () => {
    const { record, terminal, status } = replayed('baseline-image-missing');
    expect(record.cases.some(({ variant }) => variant === 'candidate')).toBe(true);
    expect(terminal).toContain('wrkbench-test/there-is-none:1');
    expect(status).toBe(1);
  });

  it('since it does not build: the reports say why the candidate is alone, and it is no pass', () => {
    const { record, terminal, report, status } = replayed('baseline-not-built');
    expect(record.unpaired).toMatchObject({ wanted: 'auto', baseline: null, failed: true });
    expect(record.unpaired!.warnings.map(({ code }) => code)).toEqual(['baseline-not-built', 'no-earlier-run']);
    expect(record.cases.map(({ variant, status: valid }) => [variant, valid])).toEqual([['candidate', 'valid']]);
    expect(prose(terminal)).toContain(
      "Not compared, so the gate fails: the baseline's go does not build: COPY failed: file not found",
    );
    expect(report).toContain('cannot be built from');
    expect(status).toBe(1);
  });

  it('since there was no spec yet: a first measurement, which passes and says what it is', () => {
    const { record, terminal, status } = replayed('first-measurement');
    expect(record.unpaired).toMatchObject({ failed: false, warnings: [{ code: 'no-baseline-spec' }] });
    expect(terminal).toContain('First measurement: there is no baseline to compare with (auto).');
    expect(status).toBe(0);
  });
});

describe('a candidate that answers wrongly', () => {
  it('is invalid, never green', () => {
    const { comparison, status } = compared('wrong-answers');
    expect(comparison.gate.invalid).toHaveLength(1);
    expect(comparison.gate.passed).toBe(false);
    expect([1, 4]).toContain(status);
  });
});

describe('a run by itself', () => {
  it('has throughput, CPU, memory and its phases of each generator, direct and through the gateway', () => {
    const { record, status } = replayed('all-generators');
    expect(record.environment.versions.postgres).toMatch(/^15\./);
    expect(Object.keys(reasonsIn(record)).sort()).toEqual(
      ['node', 'static'].flatMap((service) =>
        ['direct', 'gateway'].flatMap((route) => [
          `${service}/ping/${route}/ab/keep-alive-off/8`,
          `${service}/ping/${route}/h2load/keep-alive/8@200ps`,
          `${service}/ping/${route}/k6/keep-alive/50@200ps`,
          `${service}/ping/${route}/wrk/keep-alive/8`,
        ]),
      ),
    );
    const phases = {
      wrk: [],
      k6: ['connect', 'sending', 'waiting', 'receiving'],
      ab: ['connect', 'processing', 'waiting'],
      h2load: ['connect', 'first byte'],
    };
    for (const each of record.cases) {
      for (const name of ['throughput', 'cpu-per-request', 'memory-peak'] as const) {
        expect(each.metrics[name]?.value, `${each.key} ${name}`).toBeGreaterThan(0);
      }
      expect(Object.keys(each.reported?.phasesMs ?? {}), each.key).toEqual(phases[each.generator]);
      expect(each.raw.length).toBeGreaterThan(0);
    }
    expect(status).toBe(record.cases.every(({ status: verdict }) => verdict === 'valid') ? 0 : 1);
  });

  it('has exact counts of queries and rows', () => {
    const figures = replayed('counts').record.cases.map(({ endpoint, metrics }) => [
      endpoint,
      metrics['queries-per-request']?.value,
      metrics['rows-per-request']?.value,
    ]);
    expect(figures).toEqual([
      ['ping', 0, 0],
      ['users', 1, 1],
    ]);
  });

  it('has them of a Postgres beside processes too, and what it costs', () => {
    const { record } = replayed('process-database');
    expect(record.environment.runtime).toBe('process');
    expect(record.cases).toHaveLength(4);
    const dbPing = record.cases.find(({ endpoint }) => endpoint === 'db-ping')!;
    expect(dbPing.metrics['queries-per-request']!.value).toBe(1);
    expect(dbPing.metrics['database-cpu-per-request']!.value).toBeGreaterThan(0);
  });

  it('over HTTP/2 loads at a share of what was found, and says how it asked', () => {
    const { record, report } = replayed('http2');
    const [only, ...others] = record.cases;
    expect(others).toEqual([]);
    expect(only!.key).toBe('node/ping/direct/h2load/keep-alive/8@30%');
    expect(only!.rate).toBeGreaterThan(100);
    expect(only!.metrics['latency-p99']?.value).toBeGreaterThan(0);
    expect(only!.metrics['cpu-per-request']?.value).toBeGreaterThan(0);
    expect(report).toContain('Asked over HTTP/2, without TLS: node.');
  });

  it('names what the machine cannot load, with what to change, and fails', () => {
    const { record, terminal, report, status } = replayed('too-many-connections');
    expect(terminal).toMatch(/^\nwide: 2 cases, 1 not measured, /);
    expect(record.cases.map(({ status: valid, connections }) => [valid, connections])).toEqual([
      ['valid', 8],
      ['invalid', 2000],
    ]);
    expect(record.cases[1]!.reasons).toEqual([
      {
        code: 'machine-limit',
        message: expect.stringMatching(/^not measured: 2,000 connections need 2,256 open files; /),
      },
    ]);
    expect(report).toContain('### Cases that were not measured');
    expect(status).toBe(1);
  });

  it('says which limits it could not judge, and fails for that only where it is asked to', () => {
    const { record, terminal, report, status } = replayed('limits-not-judged');
    expect(terminal).toContain('! database-cpu-per-request is limited, and no case of this run can be held to it.');
    expect(terminal).toMatch(
      /Limits that could not be judged:\n {2}node\/ping\S+: Latency, p99: \d+ requests are too few/,
    );
    expect(report).toContain('database-cpu-per-request is limited');
    expect(Object.values(reasonsIn(record))).toEqual([[]]);
    expect(status).toBe(0);
    expect(replayed('limits-not-judged', { failOnInconclusive: true }).status).toBe(1);
  });

  it('that was killed outright is a record of what it had, and says so', () => {
    const { record, report } = replayed('killed');
    expect(record.interrupted?.code).toBe('interrupted');
    expect(record.cases).toHaveLength(1);
    expect(report).toContain('stopped from outside');
  });
});

describe('services that come to grief', () => {
  const { record, terminal, report, status } = replayed('bad-luck');
  const reasonsOf = (service: string) => reasonsIn(record)[`${service}/ping/direct/wrk/keep-alive/8`];
  const messageOf = (service: string) =>
    record.cases
      .find((each) => each.service === service)
      ?.reasons.map(({ message }) => message)
      .join('\n') ?? '';

  it('are invalid one by one beside the healthy one, and the run fails', () => {
    expect(record.cases).toHaveLength(12);
    expect(reasonsOf('healthy')).toEqual([]);
    expect(status).toBe(1);
  });

  it.each([
    ['whose port nothing listens on', 'deaf', 'nothing-listens'],
    ['that never gets ready', 'unready', 'not-ready'],
    ['that exits at its start', 'absent', 'exited'],
    ['that exits under load', 'leaving', 'exited'],
    ['that is killed for its memory', 'hungry', 'out-of-memory'],
    ['that restarts itself under load', 'restarting', 'server-restarted'],
    ['that answers something else after a while', 'changing', 'unexpected-body'],
    ['that answers wrongly from the start', 'wrong', 'unexpected-body'],
    ['that fails every hundredth request', 'failing', 'errors'],
    ['that closes connections that it was asked to keep', 'closing', 'keep-alive-not-on'],
  ])('one %s: %s is %s', (_, service, code) => {
    expect(reasonsOf(service)).toContain(code);
    expect(record.cases.find((each) => each.service === service)?.status).toBe('invalid');
    expect(prose(terminal + report)).toContain(service);
  });

  it('one that hangs under load is invalid for whatever shows it', () => {
    expect(reasonsOf('hanging')!.length).toBeGreaterThan(0);
  });

  it('are told with what helps: the ports that it does listen on, its last lines, its limit, the difference', () => {
    const failures = record.services.map(({ service, failure }) => `${service}: ${failure?.message ?? ''}`).join('\n');
    const all = `${failures}\n${record.cases.map(({ service }) => messageOf(service)).join('\n')}`;
    expect(all).toMatch(/8080[\s\S]*9090/);
    expect(all).toMatch(/\b503\b/);
    expect(all).toContain('fatal: cannot read /etc/server.conf');
    expect(all).toContain('Its limit is 64.0 MiB.');
    expect(all).toContain('$.ok: expected true, got false');
  });

  it('have the share of requests that failed', () => {
    const own = record.cases.find(({ service }) => service === 'failing');
    expect(own?.metrics.errors?.value).toBeCloseTo(0.01, 3);
  });

  it('one that ignores Connection: close is invalid, and the other not', () => {
    expect(reasonsIn(replayed('ignores-close').record)).toEqual({
      'bad/ping/direct/wrk/keep-alive-off/8': ['keep-alive-not-off'],
      'good/ping/direct/wrk/keep-alive-off/8': [],
    });
  });
});

describe('what a run stands on, and loses', () => {
  it('SQL that is wrong is told by file and line, and nothing is measured', () => {
    const { record, report, status } = replayed('bad-init-sql');
    expect(Object.values(reasonsIn(record))).toEqual([['init-sql-failed'], ['init-sql-failed']]);
    expect(prose(report)).toMatch(/bad\.sql:3.*INSERT has more expressions than target columns/);
    expect(status).toBe(4);
  });

  it('a database that is killed costs the case that was measured, and not the next one', () => {
    const { record, status } = replayed('database-killed');
    expect(record.cases.map(({ status: valid }) => valid).sort()).toEqual(['invalid', 'valid']);
    expect(Object.values(reasonsIn(record)).flat()).toContain('database-exited');
    expect(status).toBe(1);
  });

  it('a generator that is killed costs its case alone', () => {
    const { record, status } = replayed('generator-killed');
    const reasons = Object.values(reasonsIn(record));
    expect(reasons.map((codes) => codes.length > 0).sort()).toEqual([false, true]);
    expect(reasons.flat()).toContain('generator-failed');
    expect(status).toBe(1);
  });
});

describe('what a spec says of a service', () => {
  it.each([
    ['optional-process', ['boxed', 'gone']],
    ['optional-container', ['ends']],
  ])('%s: one that is optional is absent, and the run passes', (story, absent) => {
    const { record, terminal, report, status } = replayed(story);
    expect(record.cases.map(({ key, status: valid }) => [key, valid])).toEqual([
      ['node/ping/direct/wrk/keep-alive/8', 'valid'],
    ]);
    expect(record.services.flatMap((each) => (each.absent === true ? [each.service] : [])).sort()).toEqual(absent);
    for (const service of absent) {
      expect(terminal).toContain(`Absent: ${service} (optional): `);
      expect(report).toContain(`Absent: ${service} (optional): `);
    }
    expect(status).toBe(0);
  });

  it('one that is meant to close connections and to fail now and then is valid, and marked', () => {
    const { record, report, status } = replayed('by-design');
    const [only] = record.cases;
    expect(only!.reasons).toEqual([]);
    const codes = only!.warnings.map(({ code }) => code);
    expect(codes).toContain('errors-let-pass');
    expect(codes).toContain('closes-connections');
    expect(report).toContain('no warm-up');
    expect(status).toBe(0);
  });

  it('the same is invalid for both where the spec says nothing of it', () => {
    const { record } = replayed('not-by-design');
    expect(Object.values(reasonsIn(record))).toEqual([['errors', 'keep-alive-not-on']]);
  });

  it('one with a CPU and a duration of its own answers that it has them, and is shown by its title', () => {
    const { record, report } = replayed('own-cpus');
    const [only] = record.cases;
    expect(only!.reasons.map(({ code }) => code)).not.toContain('unexpected-answer');
    expect(only!.metrics.throughput!.samples[0]!.durationNs / 1e9).toBeLessThan(5);
    expect(report).toContain('One core, [example.org/one](https://example.org/one)');
  });
});

describe('a search', () => {
  it('tells an interval that the limit of the service lies in', () => {
    const { record, terminal, status } = replayed('search-rate');
    const [found, ...others] = record.searches!;
    expect(others).toEqual([]);
    expect(found).toMatchObject({ service: 'slow', endpoint: 'ping', isComplete: true, lost: null });
    // 4 connections cannot have more than 200 answers a second of 20 ms each.
    expect(found!.held!).toBeLessThan(215);
    expect(found!.failed!).toBeGreaterThan(150);
    expect(['rate-not-held', 'generator-bound']).toContain(found!.why);
    expect(terminal).toMatch(
      /^Capacity\n {2}slow, ping: holds (?:\d+ to|at least) \d+ requests\/s within errors ≤ 0\.1 %/m,
    );
    expect(status).toBe(0);
  });

  it('ends where the machine can open no more connections', () => {
    const { record, terminal } = replayed('search-connections');
    const [found] = record.searches!;
    expect(found).toMatchObject({ why: 'machine-limit', isComplete: true, lost: null });
    expect(found!.held!).toBeLessThanOrEqual(244);
    expect(found!.failed!).toBeGreaterThan(244);
    expect(prose(terminal)).toMatch(
      /slow, ping: holds at least \d+ connections within .*: this machine can load no more/,
    );
  });
});
