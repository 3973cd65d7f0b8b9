import { callersIn, type MeasuringFiles, measuredBy, touched, withCalls } from '../../core/posting/measuring-files.ts';
import type { Forge } from '../ports/forge.ts';
import { withFallback } from './degrade.ts';

/** GitHub itself takes 50 workflows in a chain; each is a request. */
const MOST_CALLERS = 50;

/** What a pull request changes, as far as the forge tells; `unknown`: why it does not. */
export type ChangedFiles = { files: readonly string[] } | { unknown: string };

export async function changedFiles(
  pullRequest: number,
  { forge, warn }: { forge: Forge; warn(text: string): void },
): Promise<ChangedFiles> {
  const consequence = `What pull request ${pullRequest} changes is not known, so that its run is not verified`;
  const files = await withFallback('unread', consequence, warn, () => forge.changedFiles(pullRequest));
  if (files === 'unread') return { unknown: 'the files that this pull request changes cannot be read' };
  return files === null ? { unknown: 'this pull request changes more files than can be listed' } : { files };
}

/**
 * Why a pull request says of itself how it is measured, or may do so; null where it does not. `base`: commit that tells what
 * the workflow calls, whatever the pull request makes of it, with the scripts that generators are given by its specs.
 */
export async function ownMeasuring(
  changed: ChangedFiles,
  workflow: string,
  { sha: base, scripts }: { sha: string; scripts: readonly string[] },
  { forge, warn }: { forge: Forge; warn(text: string): void },
): Promise<string | null> {
  if ('unknown' in changed) return `${changed.unknown}, so that the measuring workflow may be among them`;
  const consequence = `What ${workflow || 'the measuring workflow'} calls is not known, so that its run is not verified`;
  const measuring = await withFallback('unread', consequence, warn, () => filesOf(workflow, base, forge));
  if (measuring === 'unread') {
    return 'what the measuring workflow calls cannot be read, so that this pull request may change it';
  }
  if (measuring === null) {
    return `the measuring workflow calls more than ${MOST_CALLERS} others, so that this pull request may change one`;
  }
  const own = touched(changed.files, { ...measuring, files: [...measuring.files, ...scripts] });
  if (own.length === 0) return null;
  const more = own.length > 1 ? ` and ${own.length - 1} more` : '';
  return `this pull request changes how it is measured (${own[0]}${more}), so that it says of itself what it likes; a maintainer has to look`;
}

/** Null where they are too many to be followed. */
async function filesOf(workflow: string, base: string, forge: Forge): Promise<MeasuringFiles | null> {
  let found = measuredBy(workflow);
  const followed = new Set<string>();
  const next = () => callersIn(found).find((paths) => !followed.has(paths[0]!));
  for (let paths = next(); paths !== undefined; paths = next()) {
    if (followed.size === MOST_CALLERS) return null;
    followed.add(paths[0]!);
    const text = await firstText(paths, base, forge);
    if (text !== null) found = withCalls(found, text);
  }
  return found;
}

async function firstText(paths: readonly string[], sha: string, forge: Forge): Promise<string | null> {
  for (const path of paths) {
    const text = await forge.textAt(path, sha);
    if (text !== null) return text;
  }
  return null;
}
