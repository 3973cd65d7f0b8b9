import {
  CHOICE_NAMES,
  type ChoiceName,
  type Choices,
  type Chosen,
  choicesOf,
  nearest,
} from '../../../../core/report/analysis/contest.ts';
import { element, notice } from '../../element.ts';
import type { Page } from '../../view.ts';
import { labelledSelect } from './controls.ts';

const LABELS: Record<ChoiceName, string> = {
  endpoint: 'Endpoint',
  generator: 'Generator',
  route: 'Route',
  'keep-alive': 'Keep-alive',
  load: 'Load',
};

/** A list for each thing that leaves a choice. Whatever is chosen, there is something to show: the nearest of what there is. */
export function contestControls<C extends { choices: Choices }>(
  page: Page,
  all: readonly C[],
  { choices }: C,
): HTMLElement[] {
  const current = new Map(CHOICE_NAMES.flatMap((name) => (choices[name] ? [[name, choices[name].value]] : [])));
  return choicesOf(all).map(({ name, options }) =>
    labelledSelect({
      id: `choose-${name}`,
      label: LABELS[name],
      options,
      value: choices[name]?.value ?? '',
      choose(value) {
        const found = nearest(all, new Map([...current, [name, value]]), name)!.chosen;
        page.go(Object.fromEntries(CHOICE_NAMES.map((each) => [each, found.choices[each]?.value ?? null])));
      },
    }),
  );
}

/** Says what the address asked for that this run does not have. */
export function unknownChoices({ unknown }: Chosen<unknown>): HTMLElement | null {
  if (unknown.length === 0) return null;
  const said = unknown.map(([name, value]) => `${LABELS[name].toLowerCase()} “${value.slice(0, 80)}”`).join(', ');
  return element('div', {}, notice(`This run has no ${said}. Shown is the nearest that it has.`));
}
