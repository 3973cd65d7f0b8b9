import type { GeneratorName } from '../generators/registry.ts';
import type { Reason } from '../measurement/names.ts';
import type { Tone } from './pictures.ts';
import { type Entry, type ReportView, sharedWarnings, type Test, without } from './view.ts';
import { caseNotes, endpointTitle, entryTitle, loadTitle, modeOf, shortCase } from './wording.ts';

/**
 * What stands together in one table and one chart: the services of a test; or, where the run has but one service, its
 * tests of an endpoint, since a table for each would have one row. Never of two generators.
 */
export interface Panel {
  id: string;
  /** `ping (GET /ping), keep-alive on`; several panels may share it. */
  heading: string;
  /** `4 threads / 100 connections`; empty where the heading says all. */
  caption: string;
  /** Heading and caption for where they are not beside each other. */
  title: string;
  corner: 'Service' | 'Case';
  generator: GeneratorName;
  openModel: boolean;
  rows: PanelRow[];
  /** The first of each warning that all rows carry, and no more than these. */
  warnings: Reason[];
  /** What tells it from the other panels, as a reader chooses it: `{Endpoint: 'ping (GET /ping)', 'Keep-alive': 'on'}`. */
  choices: Record<string, string>;
}

export interface PanelRow {
  /** With what is to be known of the case: `python (invalid: errors)`. */
  title: string;
  /** Without. */
  label: string;
  entry: Entry;
  tone: Tone;
}

export function panels(view: ReportView): Panel[] {
  const labels = new Set(view.tests.flatMap(({ entries }) => entries.map(({ label }) => label)));
  const named = view.generators.length > 1;
  const found = labels.size > 1 ? byTest(view.tests, named) : byEndpoint(view.tests, named);
  return found.map((panel, index) => ({
    ...panel,
    id: `panel-${index + 1}`,
    title: panel.caption === '' ? panel.heading : `${panel.heading}, ${panel.caption}`,
  }));
}

type Unnumbered = Omit<Panel, 'id' | 'title'>;

function byTest(tests: Test[], named: boolean): Unnumbered[] {
  return tests.map((test) => ({
    heading: `${endpointTitle(test)}, ${named ? `${test.generator}, ` : ''}${modeOf(test)}`,
    caption: loadTitle(test),
    corner: 'Service',
    generator: test.generator,
    openModel: test.openModel,
    choices: {
      Endpoint: endpointTitle(test),
      Generator: test.generator,
      Route: test.route === 'gateway' ? 'through the gateway' : 'direct',
      'Keep-alive': test.keepAlive ? 'on' : 'off',
      Load: loadTitle(test),
    },
    warnings: sharedWarnings(test.entries),
    rows: withoutShared(test.entries).map((entry) => ({
      title: entryTitle(entry),
      label: entry.label,
      entry,
      tone: toneOf(entry, test.entries.filter(({ rank }) => rank !== null).length > 1),
    })),
  }));
}

function byEndpoint(tests: Test[], named: boolean): Unnumbered[] {
  const grouped = new Map<string, Test[]>();
  for (const test of tests) {
    const heading = `${endpointTitle(test)}${named ? `, ${test.generator}` : ''}`;
    grouped.set(heading, [...(grouped.get(heading) ?? []), test]);
  }
  return [...grouped].map(([heading, own]): Unnumbered => {
    const first = own[0]!;
    const warnings = sharedWarnings(own.flatMap(({ entries }) => entries));
    const rows = own.flatMap((test) =>
      withoutShared(test.entries, warnings).map((entry) => ({
        title: `${shortCase(test, entry)}${caseNotes(entry)}`,
        label: shortCase(test, entry),
        entry,
        tone: toneOf(entry, false),
      })),
    );
    return {
      heading,
      caption: '',
      corner: 'Case',
      generator: first.generator,
      openModel: first.openModel,
      choices: { Endpoint: endpointTitle(first), Generator: first.generator },
      warnings,
      rows,
    };
  });
}

/** Said above the rows, and so at none of them. */
function withoutShared(entries: Entry[], said = sharedWarnings(entries)): Entry[] {
  return entries.map((entry) => ({ ...entry, warnings: without(entry.warnings, said) }));
}

/** `best` only where there is somebody to be better than. */
export function toneOf({ valid, reference, rank }: Entry, isContest: boolean): Tone {
  if (!valid) return 'invalid';
  if (reference) return 'reference';
  return isContest && rank === 1 ? 'best' : 'plain';
}
