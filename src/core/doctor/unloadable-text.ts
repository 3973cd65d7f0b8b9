import { counted } from '../format/figures.ts';
import type { Plan } from '../plan/plan.ts';
import { groupedByLimit, type UnloadableCase } from './loadable.ts';

/** The part of `plan` that names the cases beyond this machine, and what to change; empty where there are none. */
export function unloadableText(unloadable: readonly UnloadableCase[], { services }: Plan): string {
  const caseCount = services.reduce((sum, { cases }) => sum + cases.length, 0);
  return groupedByLimit(unloadable)
    .map(({ finding: { message, command }, cases }) => {
      const consequence =
        unloadable.length === caseCount
          ? 'a run is refused'
          : cases.length === 1
            ? 'it is left out'
            : 'they are left out';
      const lines = [
        `Not on this machine: ${counted(cases.length, 'case')} of ${caseCount}; ${consequence} until that is changed`,
        ...cases.map(({ key }) => `  ${key}`),
        `  ${message}`,
        ...(command === null ? [] : [`    ${command}`]),
      ];
      return `\n${lines.join('\n')}\n`;
    })
    .join('');
}

/** The same for a program. */
export function unloadableJson(unloadable: readonly UnloadableCase[]) {
  return unloadable.map(({ case: { key }, finding: { code, message, command } }) => ({
    case: key,
    code,
    message,
    command,
  }));
}
