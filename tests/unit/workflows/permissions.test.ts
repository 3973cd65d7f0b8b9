import { describe, expect, it } from 'vitest';
import { evaluated } from './expression.ts';
import { all, calleeOf, isReusable, jobsOf, OWN_ACTION, starters, stepsOf, workflows } from './given.ts';

/** What GitHub enforces and no local runner does: held against the files. */

const rank = { none: 0, read: 1, write: 2 } as Record<string, number>;

describe.each(all)('%s', (path, workflow) => {
  it('grants nothing by default, and each job what it needs', () => {
    expect(workflow.permissions).toEqual({});
    for (const [name, job] of jobsOf(workflow))
      expect([path, name, typeof job.permissions]).toEqual([path, name, 'object']);
  });

  it('leaves no token in a checkout', () => {
    const checkouts = stepsOf(workflow).filter(({ uses }) => uses?.startsWith('actions/checkout@'));
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
});

describe('starters', () => {
  it.each(starters)('%s writes only in the reporting job', (_, workflow) => {
    for (const [, job] of jobsOf(workflow)) {
      const writes = Object.values(job.permissions ?? {}).includes('write');
      expect(writes).toBe(calleeOf(job)?.[0] === '.github/workflows/report.yml');
    }
  });
});

describe('the reporting workflow', () => {
  const report = workflows.get('.github/workflows/report.yml')!;
  it('checks nothing out, restores no cache and starts nothing else', () => {
    expect(stepsOf(report).map(({ uses }) => uses)).toEqual([OWN_ACTION, OWN_ACTION]);
  });

  /** Jobs that an event comes to: of its own, or as that of the workflow that was run. */
  const jobsFor = (github: object) =>
    jobsOf(report).filter(
      ([, job]) => evaluated(`\${{ ${job.if!.replace(/^\$\{\{|\}\}$/g, '')} }}`, { github }) === 'true',
    );
  const both = (event: string) => [
    { event_name: event, event: {} },
    { event_name: 'workflow_run', event: { workflow_run: { event } } },
  ];

  it.each(['pull_request', 'pull_request_target'])('cannot write contents in what it does of %s', (event) => {
    for (const github of both(event)) {
      const jobs = jobsFor(github);
      expect(jobs.map(([name]) => name)).toEqual(['report']);
      for (const [, { permissions, steps }] of jobs) {
        expect(permissions?.contents).toBe('read');
        expect(steps?.[0]?.with?.publish).toBe(false);
      }
    }
  });

  it('may read what was accepted on the pull request that a push has merged', () => {
    const [publish] = jobsFor({ event_name: 'push', event: {} });
    expect(publish?.[1].permissions).toEqual({
      actions: 'read',
      contents: 'write',
      'pull-requests': 'read',
      statuses: 'write',
    });
  });

  it.each(['push', 'schedule', 'workflow_dispatch', 'release', 'merge_group'])(
    'may publish what %s has measured',
    (event) => {
      for (const github of both(event)) expect(jobsFor(github).map(([name]) => name)).toEqual(['publish']);
    },
  );
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
