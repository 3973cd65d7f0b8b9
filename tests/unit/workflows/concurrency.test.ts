import { describe, expect, it } from 'vitest';
import { evaluated } from './expression.ts';
import { all, jobsOf, starters, type Workflow, workflows } from './given.ts';

/**
 * GitHub keeps one pending run of a concurrency group, and cancels it when the next one comes, whatever
 * `cancel-in-progress` says: https://docs.github.com/en/actions/how-tos/write-workflows/choose-when-workflows-run/control-workflow-concurrency
 */

/** What `github` holds in a run of an event, as far as groups are made of it. */
function runOf(event: string, id: number, payload: object = {}): { github: object } {
  return { github: { event_name: event, run_id: id, event: payload } };
}
const measured = (event: string, id: number, branch = 'main', repository = 'acme/api') =>
  runOf('workflow_run', 1000 + id, {
    workflow_run: { event, id, head_branch: branch, head_repository: { full_name: repository } },
  });
const ofPullRequest = (event: string, id: number, number: number) =>
  event === 'workflow_run'
    ? measured('pull_request', id, `change-${number}`)
    : runOf(event, id, { pull_request: { number }, label: { name: 'perf-accepted' } });

const groupIn = ({ concurrency }: Workflow, run: { github: object }) => evaluated(concurrency?.group, run);
const eventsOf = ({ on }: Workflow) => Object.keys(on);
const isOfPullRequests = (event: string) => event.startsWith('pull_request');
const forPullRequests = starters.filter(([, workflow]) =>
  eventsOf(workflow).some((event) => isOfPullRequests(event) || event === 'workflow_run'),
);

describe.each(starters)('%s', (_, workflow) => {
  it('cancels only runs of pull requests while they go on', () => {
    const { concurrency } = workflow;
    expect(concurrency?.group).toBeDefined();
    const cancels = concurrency?.['cancel-in-progress'];
    if (cancels !== undefined) expect(cancels).toBe("${{ github.event_name == 'pull_request' }}");
  });

  it('lets no run outside of pull requests wait for another, which could cost it its turn', () => {
    for (const event of eventsOf(workflow).filter((each) => !isOfPullRequests(each))) {
      const runs = [1, 2, 3].map((id) => (event === 'workflow_run' ? measured('push', id) : runOf(event, id)));
      expect([event, new Set(runs.map((run) => groupIn(workflow, run))).size]).toEqual([event, 3]);
    }
  });
});

describe.each(forPullRequests)('%s', (_, workflow) => {
  it('needs the newest run of each pull request alone', () => {
    for (const event of eventsOf(workflow).filter((each) => isOfPullRequests(each) || each === 'workflow_run')) {
      const [first, second, another] = [
        [1, 7],
        [2, 7],
        [3, 8],
      ].map(([id, number]) => groupIn(workflow, ofPullRequest(event, id!, number!)));
      expect([event, second]).toEqual([event, first]);
      expect([event, another]).not.toEqual([event, first]);
    }
  });
});

describe.each(['gate', 'measure'])('workflows/%s.yml', (name) => {
  const workflow = workflows.get(`workflows/${name}.yml`)!;
  const edited = (id: number, changes: object) =>
    runOf('pull_request', id, { action: 'edited', changes, pull_request: { number: 7 } });
  const [retitled, retargeted] = [edited(2, { title: { from: 'x' } }), edited(2, { base: { ref: { from: 'lax' } } })];

  it('measures again what is moved to another base, and nothing where a title is edited', () => {
    expect(workflow.on.pull_request!.types).toEqual(['opened', 'synchronize', 'reopened', 'edited']);
    const isMeasured = (run: object) =>
      evaluated(`\${{ Boolean(${workflow.jobs.measure!.if}) }}`.replace('\\', ''), run as Record<string, unknown>);
    expect([retargeted, retitled, ofPullRequest('pull_request', 1, 7)].map(isMeasured)).toEqual([
      'true',
      'false',
      'true',
    ]);
  });

  it('cancels what is being measured where the base is another, and not for a new title', () => {
    const running = groupIn(workflow, ofPullRequest('pull_request', 1, 7));
    expect(groupIn(workflow, retargeted)).toBe(running);
    expect(groupIn(workflow, retitled)).not.toBe(running);
  });
});

describe('workflows/report.yml', () => {
  const tell = workflows.get('workflows/report.yml')!;
  it('tells forks from each other whose names run into those of their branches', () => {
    const one = groupIn(tell, measured('pull_request', 1, 'b-c', 'acme/a'));
    expect(groupIn(tell, measured('pull_request', 2, 'c', 'acme/a-b'))).not.toBe(one);
  });

  it('lets a run of which no job ran take no turn of another one', () => {
    const skipped = measured('pull_request', 2) as { github: { event: { workflow_run: object } } };
    Object.assign(skipped.github.event.workflow_run, { conclusion: 'skipped' });
    expect(groupIn(tell, skipped)).not.toBe(groupIn(tell, measured('pull_request', 1)));
  });
});

describe('workflows/accept.yml', () => {
  const accept = workflows.get('workflows/accept.yml')!;
  const group = (label: string) =>
    groupIn(accept, runOf('pull_request_target', 1, { pull_request: { number: 7 }, label: { name: label } }));
  it('loses no acceptance to another label that is set at the same moment', () => {
    expect(group('perf-accepted: /db/*')).toBe(group('perf-accepted'));
    expect(group('bug')).not.toBe(group('perf-accepted'));
  });
});

describe.each(all)('%s', (_, workflow) => {
  it('ends', () => {
    for (const [, job] of jobsOf(workflow)) if (job.uses === undefined) expect(job['timeout-minutes']).toBeDefined();
  });
});
