import { shortened, visible } from '../format/text.ts';
import type { PrepareStep, RepeatedRequest } from './prepare.ts';

const SHOWN_COLUMNS = 80;

/** What a step is called in sentences: `prepare step 2 (job: python manage.py migrate)`. `number` counts from 1. */
export function stepTitle(step: PrepareStep, number: number): string {
  const what = whatOf(step);
  return `prepare step ${number} (${shortened(visible(what), SHOWN_COLUMNS)})`;
}

/** The same where it is one of several, in full: `step 2 of 3, job: python manage.py migrate`. */
export function stepOfText(step: PrepareStep, number: number, of: number): string {
  return `step ${number} of ${of}, ${visible(whatOf(step))}`;
}

/** How many requests a step sends in all; null of one that sends none. */
export function requestCount(step: PrepareStep): number | null {
  return step.kind === 'requests' ? step.requests.reduce((sum, { repeat }) => sum + repeat, 0) : null;
}

function whatOf(step: PrepareStep): string {
  switch (step.kind) {
    case 'job':
      return `job: ${step.command.join(' ')}`;
    case 'sql':
      return `sql: ${step.files.join(', ')}`;
    case 'start':
      return step.isImplied ? 'start, so that data can be restored to what the service creates' : 'start';
    case 'requests':
      return `requests: ${step.requests.map(({ method, path }) => `${method} ${path}`).join(', ')}`;
  }
}

const NUMBER = /\$\$\{|\$\{n\}/g;

/** The `number`th request of a repetition. `$${` stands for `${` itself, as in placeholders; other `${…}` are text. */
export function numberedRequest(
  { method, path, headers, body }: RepeatedRequest,
  number: number,
): Pick<RepeatedRequest, 'method' | 'path' | 'headers' | 'body'> {
  const fill = (text: string) => text.replaceAll(NUMBER, (found) => (found === '$${' ? '${' : String(number)));
  const filled = Object.entries(headers).map(([name, value]) => [name, fill(value)] as const);
  return { method, path: fill(path), headers: Object.fromEntries(filled), body: body === null ? null : fill(body) };
}
