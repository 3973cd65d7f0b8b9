import { describe, expect, it } from 'vitest';
import { comparisonOf } from '../../../src/core/comparison/comparison-of.ts';
import { casesOf } from '../../../src/core/config/case.ts';
import { readSpec } from '../../../src/core/config/read.ts';
import { judgedRun } from '../../../src/core/posting/verdict.ts';
import { runRecordOf } from '../../../src/core/record/assembly.ts';
import { type JournalEntry, journalLine } from '../../../src/core/record/journal.ts';
import { printedSecretsOf, redactedSpec } from '../../../src/core/record/redaction.ts';
import type { RunRecord } from '../../../src/core/record/run-record.ts';
import { keptEntry, printedText, shownArtifact, withoutSecrets } from '../../../src/core/record/secrets.ts';
import { comparisonText } from '../../../src/core/report/comparison/text.ts';
import { reportFormats } from '../../../src/core/report/registry.ts';
import { terminalTable } from '../../../src/core/report/terminal-table.ts';
import { journalHeader } from '../../support/journal-header.ts';
import { posted } from '../../support/posted.ts';
import { healthyPass, healthyTrial } from '../support/trials.ts';

const spec = readSpec(
  `name: api
services:
  go:
    command: [./go, --api-key, k3y-of-command]
    port: 8080
    env: {DB_PASSWORD: hunter2-password, PLAIN: hello}
  rust: {command: [./rust], port: 8081}
endpoints:
  ping: {path: "/ping?token=t0ken-of-path", headers: {authorization: Bearer abcdef-of-header}}
load: {wrk: {connections: [100], keep-alive: on}}
`,
  'wrkbench.yml',
);
const secrets = ['k3y-of-command', 'hunter2-password', 't0ken-of-path', 'abcdef-of-header'];

/** All that a server may print as it dies. */
const ENV = `env: DB_PASSWORD=${secrets[1]} --api-key ${secrets[0]} GET /ping?token=${secrets[2]} Bearer ${secrets[3]}`;
const reason = (code: string) => ({ code, message: `${code}: it ended.\n    ${ENV}` });
const side = { recordId: null, sha: null, text: `image ${ENV}` };

/** A journal in which each text that others have a hand in echoes all secrets. */
function journal(change: (entry: JournalEntry) => JournalEntry): JournalEntry[] {
  const key = 'go/ping/direct/wrk/keep-alive/100';
  const statements = [{ query: `ALTER ROLE app PASSWORD '${ENV}'`, calls: 200, rows: 0, totalMs: 4 }];
  const comparing = { ...{ mode: 'duet' as const, gate: spec.gate, skipped: null, accepted: [] } };
  const both = (['baseline', 'candidate'] as const).flatMap((variant): JournalEntry[] => [
    { kind: 'pass', ...healthyPass({ variant, statements }) },
    {
      kind: 'trial',
      ...healthyTrial({
        ...{ variant, pair: 1, mode: 'duet', outcome: null, generatorFailure: ENV, differencesAfter: [ENV] },
        ...{ testbedFailure: reason('exited'), notes: [reason('noted')] },
      }),
    },
  ]);
  const entries: JournalEntry[] = [
    journalHeader({
      spec: redactedSpec(spec),
      comparing: { ...comparing, baseline: side, candidate: side, warnings: [reason('warning')] },
    }),
    { kind: 'service', service: 'go', variant: 'candidate', artifact: `./go --api-key ${ENV}`, failure: null },
    { kind: 'service', service: 'rust', variant: 'candidate', artifact: '', failure: reason('build-failed') },
    { kind: 'unexpected', service: 'go', endpoint: 'ping', route: 'direct', differences: [ENV] },
    ...both,
    { kind: 'lost', caseKey: key, reason: reason('exited') },
    { kind: 'lost', caseKey: 'rust/ping/direct/wrk/keep-alive/100', reason: reason('build-failed') },
    { kind: 'skipped', reason: reason('same') },
    { kind: 'end', at: '2026-11-20T09:10:00.000Z', wallSeconds: 600, interrupted: reason('interrupted') },
  ];
  return entries.map(change);
}

/** Name → text of all that comes of a journal. */
async function outputs(entries: JournalEntry[]): Promise<Record<string, string>> {
  const record: RunRecord = runRecordOf(entries, casesOf(spec), '2026-11-20T09:10:00.000Z');
  const comparison = comparisonOf(record);
  const compared = await posted([judgedRun(record, comparison)]);
  const alone = await posted([judgedRun(record, null)]);
  const style = (text: string) => text;
  const surroundings = { width: 400, style: { bold: style, dim: style, red: style, green: style, yellow: style } };
  const formats = reportFormats.map(({ name, render }) => [
    name,
    render(record, comparison, { script: '', scriptHash: '' }),
  ]);
  return {
    'journal.jsonl': entries.map(journalLine).join(''),
    'run.json': JSON.stringify(record),
    'comparison.json': JSON.stringify(comparison),
    comment: compared.comment,
    summary: compared.summary,
    check: JSON.stringify(compared.checks),
    status: JSON.stringify(compared.statuses),
    'comment of a run on its own': alone.comment,
    'summary of a run on its own': alone.summary,
    'check of a run on its own': JSON.stringify(alone.checks),
    'status of a run on its own': JSON.stringify(alone.statuses),
    table: terminalTable(record, surroundings as never),
    comparison: comparisonText(comparison, { ...surroundings, record } as never),
    ...Object.fromEntries(formats),
  };
}

const echoing = await outputs(journal((entry) => entry));
const kept = await outputs(journal((entry) => keptEntry(entry, printedSecretsOf(spec))));

describe('what a run keeps', () => {
  // Formats for programs tell figures alone.
  const posted = ['comment', 'summary', 'check'].flatMap((name) => [name, `${name} of a run on its own`]);
  it.each([
    'journal.jsonl',
    'run.json',
    'comparison.json',
    ...posted,
    'table',
    'comparison',
    'markdown',
    'html',
    'json',
  ])('%s would hold the secrets that a server prints, and does not', (name) => {
    expect(secrets.filter((secret) => echoing[name]!.includes(secret)).length).toBeGreaterThan(0);
    expect(secrets.filter((secret) => kept[name]!.includes(secret))).toEqual([]);
    expect(kept[name]).toContain('redacted');
  });

  it('holds them in no format of a report', () => {
    expect(Object.keys(kept)).toEqual(expect.arrayContaining(['csv', 'bencher', 'github-action-benchmark']));
    for (const text of Object.values(kept)) {
      expect(secrets.filter((secret) => text.includes(secret))).toEqual([]);
    }
  });

  it('says all else as it was', () => {
    const [header, service] = journal((entry) => keptEntry(entry, printedSecretsOf(spec)));
    expect(header).toMatchObject({ spec: redactedSpec(spec), source: { repository: null }, seed: 71 });
    expect(service).toMatchObject({ kind: 'service', service: 'go', failure: null });
    const trial: JournalEntry = {
      kind: 'trial',
      ...healthyTrial({ notes: [{ code: 'noted', message: 'As it was.' }] }),
    };
    expect(keptEntry(trial, printedSecretsOf(spec))).toEqual(trial);
  });

  it('keeps the comparisons of a statement, and no value in it', () => {
    const query = 'UPDATE users SET token=$1::text, name=hunter2-password FROM u WHERE u.session=users.session';
    const pass: JournalEntry = {
      kind: 'pass',
      ...healthyPass({ statements: [{ query, calls: 1, rows: 1, totalMs: 1 }] }),
    };
    expect(keptEntry(pass, secrets)).toMatchObject({
      statements: [{ query: query.replace('hunter2-password', '[redacted]') }],
    });
  });

  it('keeps names and hashes, which a password may be as well', () => {
    const key = 'postgres/candidate/direct/wrk/keep-alive/100';
    const lost: JournalEntry = { kind: 'lost', caseKey: key, reason: { code: 'postgres', message: 'postgres ended' } };
    expect(keptEntry(lost, ['postgres', 'candidate', 'direct'])).toEqual({
      ...lost,
      reason: { code: 'postgres', message: '[redacted] ended' },
    });
  });
});

describe('a secret', () => {
  it('goes whole, also where another one stands in it', () => {
    expect(withoutSecrets('abcdef abcdefgh', ['abcdef', 'abcdefgh'])).toBe('[redacted] [redacted]');
  });

  it('that nobody knew of is left out by the form that it is printed in', () => {
    expect(printedText('PGPASSWORD=x redis://a:b@host', [])).toBe('PGPASSWORD=[redacted] redis://[redacted]@host');
  });

  it('of a command line is left out, and an image is what it is', () => {
    expect(shownArtifact("./go --api-key x --token='y z'", [])).toBe("./go --api-key [redacted] --token='[redacted]'");
    const image = `sha256:${'1'.repeat(64)} acme/go@sha256:${'2'.repeat(64)}`;
    expect(shownArtifact(image, ['111111', 'acme/go'])).toBe(image);
  });
});
