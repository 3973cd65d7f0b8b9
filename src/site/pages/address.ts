import type { State } from './view.ts';

export type Changes = Readonly<Record<string, string | null>>;

/** What stands in an address after its `?`; of a key that is there twice, the first. */
export function stateOf(search: string): State {
  const state = new Map<string, string>();
  for (const [key, value] of new URLSearchParams(search)) {
    if (!state.has(key)) state.set(key, value);
  }
  return state;
}

/** The same with changes, in the order that the keys had: a key that nobody here knows stays where it is. */
export function changed(state: State, changes: Changes): State {
  const next = new Map(state);
  for (const [key, value] of Object.entries(changes)) {
    if (value === null) next.delete(key);
    else next.set(key, value);
  }
  return next;
}

/** `?view=trend&metric=throughput`; `?` alone where there is nothing, which as a link leads to the page itself. */
export function searchOf(state: State): string {
  const text = new URLSearchParams([...state]).toString();
  // Neither of them means anything in a query, and a case's key is full of them.
  return `?${text.replaceAll('%2F', '/').replaceAll('%40', '@')}`;
}

/** Several names in one value: `a|b`, with `\` before a `|` or `\` that is part of a name. */
export function listText(names: readonly string[]): string {
  return names.map((name) => name.replace(/[\\|]/g, '\\$&')).join('|');
}

export function listOf(text: string): string[] {
  const names = text.match(/(?:\\.|[^\\|])+/gsu) ?? [];
  return names.map((name) => name.replace(/\\(.)/gsu, '$1'));
}
