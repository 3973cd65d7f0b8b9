import type { Test } from '../view.ts';
import { type Entry, metricOf, type ReportView } from '../view.ts';
import { endpointTitle, loadTitle } from '../wording.ts';

/**
 * What can be ranked together: the services that answered one endpoint under one load; or, of a run with a single service, its
 * endpoints under one load.
 */
export interface Contest {
  of: 'services' | 'endpoints';
  choices: Choices;
  /** The generator sent at a given rate: throughput then says nothing, and nobody is ranked. */
  openModel: boolean;
  rows: Contender[];
}

export interface Contender {
  label: string;
  test: Test;
  entry: Entry;
  rank: number | null;
}

export const CHOICE_NAMES = ['endpoint', 'generator', 'route', 'keep-alive', 'load'] as const;
export type ChoiceName = (typeof CHOICE_NAMES)[number];
/** What tells a contest from the others; of endpoints there is none of `endpoint`. */
export type Choices = Partial<Record<ChoiceName, Choice>>;
export interface Choice {
  /** As an address has it. */
  value: string;
  /** As a reader chooses it. */
  text: string;
}

export function contests({ tests }: ReportView): Contest[] {
  const subjects = new Set(
    tests.flatMap(({ entries }) => entries.filter(({ reference }) => !reference).map(({ label }) => label)),
  );
  const references = tests.some(({ entries }) => entries.some(({ reference }) => reference));
  return subjects.size > 1 || references ? tests.map(ofServices) : ofEndpoints(tests);
}

function ofServices(test: Test): Contest {
  return {
    of: 'services',
    choices: { endpoint: { value: test.endpoint, text: endpointTitle(test) }, ...loadChoices(test) },
    openModel: test.openModel,
    rows: test.entries.map((entry) => ({ label: entry.label, test, entry, rank: entry.rank })),
  };
}

/** The same load of every endpoint. */
function ofEndpoints(tests: Test[]): Contest[] {
  const byLoad = new Map<string, Test[]>();
  for (const test of tests) {
    const { generator, route, keepAlive, connections, load } = test;
    const key = JSON.stringify([generator, route, keepAlive, connections, load]);
    byLoad.set(key, [...(byLoad.get(key) ?? []), test]);
  }
  return [...byLoad.values()].map((own): Contest => {
    const rows = own.flatMap((test) => test.entries.map((entry) => ({ label: endpointTitle(test), test, entry })));
    const perSecond = ({ entry }: { entry: Entry }) => metricOf(entry.record, 'throughput') ?? -1;
    const openModel = own.some((test) => test.openModel);
    rows.sort(
      (one, other) =>
        Number(other.entry.valid) - Number(one.entry.valid) || (openModel ? 0 : perSecond(other) - perSecond(one)),
    );
    let rank = 0;
    return {
      of: 'endpoints',
      choices: loadChoices(own[0]!),
      openModel,
      rows: rows.map((row) => ({ ...row, rank: openModel || row.entry.rank === null ? null : ++rank })),
    };
  });
}

function loadChoices(test: Test): Choices {
  const { generator, route, keepAlive, connections, load } = test;
  const onOff = keepAlive ? 'on' : 'off';
  return {
    generator: { value: generator, text: generator },
    route: { value: route, text: route === 'gateway' ? 'through the gateway' : 'direct' },
    'keep-alive': { value: onOff, text: onOff },
    load: { value: load === '' ? String(connections) : `${connections}@${load}`, text: loadTitle(test) },
  };
}

/** One that is chosen from, as a reader or an address names it. */
export interface Chosen<C> {
  chosen: C;
  /** Choices that were asked for and that nothing has. */
  unknown: [name: ChoiceName, value: string][];
}

/**
 * Whatever is asked for, there is always one to show: the one that has most of it, of choices the earlier before the later;
 * `first` before all others, being what a reader has just chosen. Null where there is none at all.
 */
export function nearest<C extends { choices: Choices }>(
  all: readonly C[],
  wanted: ReadonlyMap<string, string>,
  first: ChoiceName | null = null,
): Chosen<C> | null {
  const names = [...new Set([...(first === null ? [] : [first]), ...CHOICE_NAMES])];
  const score = ({ choices }: C) =>
    names.reduce(
      (sum, name, at) => sum + (choices[name]?.value === wanted.get(name) ? 2 ** (names.length - at) : 0),
      0,
    );
  const [start, ...others] = all;
  if (start === undefined) return null;
  const chosen = others.reduce((best, each) => (score(each) > score(best) ? each : best), start);
  const unknown = CHOICE_NAMES.flatMap((name): [ChoiceName, string][] => {
    const value = wanted.get(name);
    const isKnown = value === undefined || all.every(({ choices }) => choices[name] === undefined);
    return isKnown || all.some(({ choices }) => choices[name]?.value === value) ? [] : [[name, value]];
  });
  return { chosen, unknown };
}

/** Each name that leaves a choice, with what there is to choose. */
export function choicesOf(all: readonly { choices: Choices }[]): { name: ChoiceName; options: Choice[] }[] {
  return CHOICE_NAMES.flatMap((name) => {
    const options = new Map(
      all.flatMap(({ choices }) => (choices[name] ? [[choices[name].value, choices[name]]] : [])),
    );
    return options.size < 2 ? [] : [{ name, options: [...options.values()] }];
  });
}
