import { visible } from '../../../../core/format/text.ts';
import type { RunRecord } from '../../../../core/record/run-record.ts';
import { element, outwardLink } from '../../element.ts';
import type { Page, RunEntry } from '../../view.ts';
import { commitAddress, pullRequestAddress, releaseAddress } from '../../web-links.ts';

/** What a run is of: commit, pull request, release, verdict, machine. Links lead to the forge that the branch names, and nowhere else. */
export function runFacts({ data: { manifest } }: Page, entry: RunEntry, record: RunRecord | null): HTMLElement {
  const facts: [string, Node | string][] = [];
  const time = `${new Date(entry.at).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
  facts.push(['Verdict', verdict(entry.passed)], ['Measured', time]);
  if (entry.sha !== null) {
    facts.push(['Commit', outwardLink(entry.sha.slice(0, 12), commitAddress(manifest, entry.sha))]);
  }
  if (entry.pullRequest !== null) {
    const { pullRequest } = entry;
    facts.push(['Pull request', outwardLink(`#${pullRequest}`, pullRequestAddress(manifest, pullRequest))]);
  }
  if (entry.release !== null) {
    facts.push(['Release', outwardLink(visible(entry.release), releaseAddress(manifest, entry.release))]);
  }
  facts.push(['CPU', visible(entry.cpu)]);
  if (record !== null) facts.push(['wrkbench', visible(record.tool.version)]);
  facts.push(['Run', visible(entry.id)]);
  const items = facts.map(([name, value]) => element('div', {}, element('dt', {}, name), element('dd', {}, value)));
  return element('dl', { class: 'facts' }, ...items);
}

/** The word says it to whom the colour does not. */
function verdict(passed: boolean | null): Node {
  if (passed === null) return element('span', { class: 'badge' }, 'not compared');
  return element('span', { class: `badge ${passed ? 'pass' : 'fail'}` }, passed ? '✓ passed' : '✗ failed');
}
