import { annotationsOf, endpointLine } from '../../core/posting/annotations.ts';
import type { JudgedRun } from '../../core/posting/verdict.ts';
import { isPlainPath } from '../../core/report/comparison/reproduction.ts';
import type { CheckAnnotation, WorkflowRun } from '../ports/forge.ts';
import { withFallback } from './degrade.ts';
import type { Reporter } from './reporter.ts';

/** Of a check run, in one request. https://docs.github.com/rest/checks/runs */
const MOST = 50;

/**
 * What a check run says beside lines of files: a regression where the spec has its endpoint, all else at the workflow. A record only names
 * its spec: the text is that of the commit, and where it is not there, or tells no line, it is the workflow as well.
 */
export async function checkAnnotations(
  judged: JudgedRun,
  { head, path: workflow }: Pick<WorkflowRun, 'head' | 'path'>,
  { forge, warn }: Reporter,
): Promise<CheckAnnotation[]> {
  const found = annotationsOf(judged).slice(0, MOST);
  const { specPath } = judged.record.source;
  const isNeeded = found.some(({ endpoint }) => endpoint !== null) && specPath !== undefined && isPlainPath(specPath);
  const consequence = 'The lines of endpoints are not known, so that the check names the workflow';
  const text = isNeeded ? await withFallback(null, consequence, warn, () => forge.textAt(specPath, head.sha)) : null;
  return found.flatMap(({ endpoint, ...said }): CheckAnnotation[] => {
    const line = text === null || endpoint === null ? null : endpointLine(text, endpoint);
    if (line !== null) return [{ ...said, path: specPath!, line }];
    return workflow === '' ? [] : [{ ...said, path: workflow, line: 1 }];
  });
}
