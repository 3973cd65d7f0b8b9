import { type MeasuringFiles, measuredBy, touched, withCalls } from '../../core/reporting/measuring-files.ts';
import type { Forge } from '../ports/forge.ts';

const MOST_FILES = 20;

/**
 * Why a pull request says of itself how it is measured; null where it does not. `base`: commit that tells what the
 * workflow calls, whatever the pull request makes of it.
 */
export async function ownMeasuring(
  pullRequest: number,
  workflow: string,
  base: string,
  forge: Forge,
): Promise<string | null> {
  const changed = await forge.changedFiles(pullRequest);
  if (changed === null) {
    return 'this pull request changes more files than can be listed, so that the measuring workflow may be among them';
  }
  const own = touched(changed, await filesOf(workflow, base, forge));
  if (own.length === 0) return null;
  const more = own.length > 1 ? ` and ${own.length - 1} more` : '';
  return `this pull request changes how it is measured (${own[0]}${more}), so that it says of itself what it likes; a maintainer has to look`;
}

async function filesOf(workflow: string, base: string, forge: Forge): Promise<MeasuringFiles> {
  let found = measuredBy(workflow);
  for (let index = 0; index < found.files.length && index < MOST_FILES; index += 1) {
    const text = await forge.textAt(found.files[index]!, base);
    if (text !== null) found = withCalls(found, text);
  }
  return found;
}
