import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';

/** What GitHub enforces and no local runner does: held against the files. */

interface Job {
  uses?: string;
  needs?: string | string[];
  'timeout-minutes'?: unknown;
  permissions?: Record<string, string>;
  with?: Record<string, unknown>;
  steps?: { uses?: string; with?: Record<string, unknown> }[];
}
interface Workflow {
  on: Record<string, { inputs?: Record<string, unknown> } | null>;
  permissions?: unknown;
  concurrency?: { group: string; 'cancel-in-progress'?: unknown };
  jobs: Record<string, Job>;
}

const folders = ['.github/workflows', 'workflows'];
const workflows: ReadonlyMap<string, Workflow> = new Map<string, Workflow>(
  folders.flatMap((folder) =>
    readdirSync(folder).map(
      (name) => [`${folder}/${name}`, parse(readFileSync(`${folder}/${name}`, 'utf8')) as Workflow] as const,
    ),
  ),
);
const all: [string, Workflow][] = [...workflows];
const starters = all.filter(([path]) => path.startsWith('workflows/'));
const rank = { none: 0, read: 1, write: 2 } as Record<string, number>;
const jobsOf = ({ jobs }: Workflow) => Object.entries(jobs);
const isReusable = ({ on }: Workflow) => Object.hasOwn(on, 'workflow_call');

/** The file of this repository that a job calls, as callers elsewhere name it. */
function calleeOf({ uses }: Job): [string, Workflow] | null {
  const path =
    /^wrkbench\/wrkbench\/(\.github\/workflows\/[^@]+)@/.exec(uses ?? '')?.[1] ?? /^\.\/(.+)$/.exec(uses ?? '')?.[1];
  return path === undefined ? null : [path, workflows.get(path)!];
}

describe.each(all)('%s', (path, workflow) => {
  it('grants nothing by default, and each job what it needs', () => {
    expect(workflow.permissions).toEqual({});
    for (const [name, job] of jobsOf(workflow))
      expect([path, name, typeof job.permissions]).toEqual([path, name, 'object']);
  });

  it('pins every action and workflow of others by commit', () => {
    const used = jobsOf(workflow).flatMap(([, job]) => [job.uses, ...(job.steps ?? []).map(({ uses }) => uses)]);
    for (const uses of used.filter((each) => each !== undefined))
      expect(uses).toMatch(/^(?:\.\/.*|[^@]+@[0-9a-f]{40})$/);
  });

  it('ends', () => {
    for (const [, job] of jobsOf(workflow)) if (job.uses === undefined) expect(job['timeout-minutes']).toBeDefined();
  });

  it('leaves no token in a checkout', () => {
    const checkouts = jobsOf(workflow).flatMap(([, job]) =>
      (job.steps ?? []).filter(({ uses }) => uses?.startsWith('actions/checkout@')),
    );
    for (const { with: given } of checkouts) expect(given?.['persist-credentials']).toBe(false);
  });

  it('is asked by what it calls for no more than it grants', () => {
    for (const [name, job] of jobsOf(workflow)) {
      const callee = calleeOf(job);
      if (callee === null) continue;
      for (const [, called] of jobsOf(callee[1])) {
        for (const [permission, level] of Object.entries(called.permissions ?? {})) {
          const granted = job.permissions?.[permission] ?? 'none';
          expect(`${name} grants ${permission}: ${granted}`).toSatisfy(() => rank[granted]! >= rank[level]!);
        }
      }
    }
  });

  it('gives what it calls only inputs that are there', () => {
    for (const [, job] of jobsOf(workflow)) {
      const callee = calleeOf(job);
      if (callee === null) continue;
      const known = Object.keys(callee[1].on.workflow_call?.inputs ?? {});
      expect(known).toEqual(expect.arrayContaining(Object.keys(job.with ?? {})));
    }
  });

  it('gives the action only inputs that are there', () => {
    const action = parse(readFileSync('action.yml', 'utf8')) as { inputs: Record<string, unknown> };
    const steps = jobsOf(workflow).flatMap(([, job]) =>
      (job.steps ?? []).filter(({ uses }) => uses?.startsWith('wrkbench/wrkbench@')),
    );
    for (const { with: given } of steps) {
      expect(Object.keys(action.inputs)).toEqual(expect.arrayContaining(Object.keys(given ?? {})));
    }
  });
});

describe('starters', () => {
  it.each(starters)('%s cancels only runs of pull requests', (_, { concurrency }) => {
    expect(concurrency?.group).toBeDefined();
    const cancels = concurrency?.['cancel-in-progress'];
    if (cancels !== undefined) expect(cancels).toBe("${{ github.event_name == 'pull_request' }}");
  });

  it.each(starters)('%s writes only in the job that tells', (_, workflow) => {
    for (const [, job] of jobsOf(workflow)) {
      const writes = Object.values(job.permissions ?? {}).includes('write');
      expect(writes).toBe(calleeOf(job)?.[0] === '.github/workflows/report.yml');
    }
  });
});

describe('the workflow that tells', () => {
  const report = workflows.get('.github/workflows/report.yml')!;
  it('checks nothing out, restores no cache and starts nothing else', () => {
    const steps = jobsOf(report).flatMap(([, job]) => job.steps ?? []);
    expect(steps.map(({ uses }) => uses?.replace(/@.*/, ''))).toEqual(['wrkbench/wrkbench']);
  });
});

describe('the workflow that measures', () => {
  const benchmark = workflows.get('.github/workflows/benchmark.yml')!;
  it('may write nothing', () => {
    const levels = jobsOf(benchmark).flatMap(([, job]) => Object.values(job.permissions ?? {}));
    expect(new Set(levels)).toEqual(new Set(['read']));
  });
  it('is reusable, as the other is', () => {
    expect([...workflows].filter(([, each]) => isReusable(each)).map(([path]) => path)).toEqual([
      '.github/workflows/benchmark.yml',
      '.github/workflows/report.yml',
    ]);
  });
});
