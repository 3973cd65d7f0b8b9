import { readYaml } from '../config/yaml.ts';
import { caseLabels } from '../report/comparison/case-labels.ts';
import { judgedIn, placeOf } from '../report/comparison/endpoint-groups.ts';
import { entryLists } from '../report/comparison/entries.ts';
import { caseFindings } from '../report/comparison/findings.ts';
import { findingText } from '../report/comparison/headline-parts.ts';
import { inlineText } from '../report/inline-text.ts';
import { causeOf } from './invalid-cause.ts';
import { statusContext } from './status-context.ts';
import { type JudgedRun, runVerdict } from './verdict.ts';

/** What is said beside a line of a file: of a regression the endpoint in the spec, of all else the workflow that measured. */
export interface Annotation {
  level: 'failure' | 'warning' | 'notice';
  title: string;
  /** One sentence, without markup. */
  message: string;
  /** Name of the endpoint that it is about; null where it is about several, or none. */
  endpoint: string | null;
}

/** A page of them helps nobody, and a step shows ten of a kind. */
const MOST_OF_A_KIND = 10;

/** Regressions that nobody accepted, then what could not be judged. */
export function annotationsOf(judged: JudgedRun): Annotation[] {
  return [...regressions(judged), ...unjudged(judged), ...open(judged)];
}

/** What could not be measured, or not judged: nothing shows that all is well. */
export function unjudged({ record, comparison, limits, unverified }: JudgedRun): Annotation[] {
  const titleOf = (what: string) => `${statusContext(record.spec.name)}: ${what}`;
  if (comparison === null) {
    const isInvalid = runVerdict({ record, comparison, limits, unverified }) === 'invalid';
    const cause = isInvalid ? causeOf(record, null) : null;
    return cause === null ? [] : [{ level: 'warning', title: titleOf('invalid'), message: cause, endpoint: null }];
  }
  const lists = entryLists(comparison, caseLabels(comparison, record), []);
  return [
    ['Invalid', 'invalid'],
    ['Not measured', 'not measured'],
  ].flatMap(([title, what]) =>
    lists
      .filter((list) => list.title === title)
      .flatMap(({ lines }) => lines.slice(0, MOST_OF_A_KIND))
      .map((message): Annotation => ({ level: 'warning', title: titleOf(what!), message, endpoint: null })),
  );
}

function open({ record, comparison }: JudgedRun): Annotation[] {
  if (comparison === null) return [];
  const undecided = entryLists(comparison, caseLabels(comparison, record)).find(({ title }) => title === 'Undecided');
  const title = `${statusContext(record.spec.name)}: undecided`;
  return (undecided?.lines ?? [])
    .slice(0, MOST_OF_A_KIND)
    .map((message): Annotation => ({ level: 'notice', title, message, endpoint: null }));
}

/** One of each endpoint, by what leads among its changes. */
function regressions({ record, comparison }: JudgedRun): Annotation[] {
  if (comparison === null) return [];
  const labels = caseLabels(comparison, record);
  const endpoints = new Map(judgedIn(comparison).map((each) => [each.key, each.endpoint]));
  const places = new Map(judgedIn(comparison).map((each) => [each.key, placeOf(each)]));
  const seen = new Set<string>();
  return caseFindings(comparison)
    .filter(({ key, kind }) => {
      const place = places.get(key) ?? key;
      const isNew = kind === 'regression' && !seen.has(place);
      if (isNew) seen.add(place);
      return isNew;
    })
    .slice(0, MOST_OF_A_KIND)
    .map(({ key, findings: [finding] }): Annotation => {
      const endpoint = endpoints.get(key) ?? null;
      return {
        level: 'failure',
        title: `${statusContext(record.spec.name)}: regression`,
        message: inlineText(findingText(finding, comparison, labels)),
        endpoint: endpoint === '*' ? null : endpoint,
      };
    });
}

/** The line of a spec at which an endpoint is written; null where its text does not tell. */
export function endpointLine(spec: string, endpoint: string): number | null {
  const { source } = readYaml(spec, '');
  const about = { code: 'unknown-name', message: '' } as const;
  // What is not there is told at what is around it.
  if (source === null || source.at(['endpoints', endpoint]) === undefined) return null;
  return source.aboutKey(['endpoints', endpoint], about).line;
}
