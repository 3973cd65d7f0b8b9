import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';

/** What GitHub enforces and no local runner does: held against the files. */

interface Job {
  uses?: string;
  needs?: string | string[];
  'timeout-minutes'?: unknown;
  permissions?: Record<string, string>;
  outputs?: Record<string, string>;
  with?: Record<string, unknown>;
  steps?: { uses?: string; with?: Record<string, unknown> }[];
}
interface Workflow {
  on: Record<string, { inputs?: Record<string, unknown>; outputs?: Record<string, { value: string }> } | null>;
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

describe('what the workflow that tells offers', () => {
  const report = workflows.get('.github/workflows/report.yml')!;
  const { inputs, outputs } = report.on.workflow_call!;
  const [[, job]] = jobsOf(report) as [[string, Job]];
  const [step] = job.steps as [NonNullable<Job['steps']>[0]];

  it('is all that the action takes for telling, but what is its own or wants another right', () => {
    const action = parse(readFileSync('action.yml', 'utf8')) as { inputs: Record<string, unknown> };
    const measuring = ['runtime', 'seed', 'accept', 'out', 'upload', 'shards', 'shard'];
    const own = ['task', 'run', 'token', 'status', 'check'];
    const told = Object.keys(action.inputs).filter((name) => ![...measuring, ...own].includes(name));
    expect(Object.keys(inputs ?? {}).sort()).toEqual(told.sort());
  });

  it('reaches the action, and comes back from it', () => {
    const handed = Object.entries(step.with ?? {}).filter(([name]) => name !== 'task');
    expect(handed.map(([name, value]) => [name, value]).sort()).toEqual(
      Object.keys(inputs ?? {})
        .map((name) => [name, `\${{ inputs.${name} }}`])
        .sort(),
    );
    for (const name of ['verdict', 'comment-url', 'page-url']) {
      expect(outputs?.[name]?.value).toBe(`\${{ jobs.report.outputs.${name} }}`);
      expect(job.outputs?.[name]).toBe(`\${{ steps.report.outputs.${name} }}`);
    }
  });
});

describe('workflows in the documentation', () => {
  const blocks = ['README.md', 'docs/getting-started.md'].flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/```yaml\n([\s\S]*?)```/g)]
      .map(([, text]) => parse(text!) as Partial<Workflow>)
      .flatMap(({ jobs }) => (jobs === undefined ? [] : [[file, { jobs }] as const])),
  );
  const action = parse(readFileSync('action.yml', 'utf8')) as { inputs: Record<string, unknown> };
  const report = workflows.get('.github/workflows/report.yml')!.jobs.report!;

  it('are there', () => {
    expect(blocks.map(([file]) => file)).toEqual(['README.md', 'docs/getting-started.md', 'docs/getting-started.md']);
  });

  it.each(blocks)('in %s grant what they call what it asks for, and only inputs that are there', (_, { jobs }) => {
    for (const job of Object.values(jobs)) {
      const [, called] = /^wrkbench\/wrkbench\/(\.github\/workflows\/[^@]+)@v1$/.exec(job.uses ?? '') ?? [];
      const asking = called === undefined ? [] : Object.values(workflows.get(called)!.jobs);
      const steps = (job.steps ?? []).filter(({ uses }) => uses === 'wrkbench/wrkbench@v1');
      expect(asking.length + steps.length).toBeGreaterThan(0);
      const reports = steps.filter((step) => step.with?.task === 'report');
      for (const { permissions } of [...asking, ...reports.map(() => report)]) {
        for (const [permission, level] of Object.entries(permissions ?? {})) {
          expect(rank[job.permissions?.[permission] ?? 'none']).toBeGreaterThanOrEqual(rank[level]!);
        }
      }
      for (const { with: given } of steps) {
        expect(Object.keys(action.inputs)).toEqual(expect.arrayContaining(Object.keys(given ?? {})));
        if (given?.check === true) expect(job.permissions?.checks).toBe('write');
      }
    }
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
