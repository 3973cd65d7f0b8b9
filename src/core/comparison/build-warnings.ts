import type { Reason } from '../measurement/names.ts';
import type { ServiceRecord } from '../record/run-record.ts';

/** Services that were built once although several builds were asked for: what holds for both sides is said once. */
export function buildWarnings(services: readonly Pick<ServiceRecord, 'variant' | 'oneBuild'>[]): Reason[] {
  const sentences = services.flatMap(({ variant, oneBuild }) =>
    oneBuild === undefined ? [] : [{ variant, message: oneBuild }],
  );
  const unique = [...new Set(sentences.map(({ message }) => message))];
  return unique.map((message) => {
    const [first, ...others] = sentences.filter((each) => each.message === message);
    const text = others.length > 0 ? message : `The ${first!.variant}: ${message}`;
    return { code: 'one-build', message: text };
  });
}
