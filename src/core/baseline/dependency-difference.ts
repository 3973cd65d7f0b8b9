import type { Dependency } from '../config/dependency.ts';
import type { ResolvedSpec } from '../config/resolved.ts';
import type { Reason } from '../measurement/names.ts';
import { canonicalText } from './canonical.ts';

/** Each side has the dependencies of its own spec: what differs between them is said. Empty where nothing does. */
export function dependencyWarnings(
  { dependencies: now = [] }: ResolvedSpec,
  { dependencies: before = [] }: ResolvedSpec,
): Reason[] {
  const changed = [
    ...before.flatMap((each) => {
      const other = now.find(({ name }) => name === each.name);
      return other === undefined ? [`${each.name} (the baseline's alone)`] : changeOf(each, other);
    }),
    ...now
      .filter(({ name }) => !before.some((each) => each.name === name))
      .map(({ name }) => `${name} (the candidate's alone)`),
  ];
  if (changed.length === 0) return [];
  const message = `The dependencies of the two sides differ: ${changed.join(', ')}. Each side has its own: part of any change between them may come from there and not from the code.`;
  return [{ code: 'dependencies-differ', message }];
}

function changeOf(before: Dependency, now: Dependency): string[] {
  if (canonicalText(before) === canonicalText(now)) return [];
  const [one, other] = [before, now].map(({ image }) => (image?.kind === 'image' ? image.reference : 'built'));
  return [one === other ? `${now.name} (set up differently)` : `${now.name} (${one} and ${other})`];
}
