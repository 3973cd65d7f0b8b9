import { quoted } from '../format/quoted.ts';
import { valuesIn } from '../requests/request-values.ts';
import { alternatives, type Diagnostic } from './diagnostics.ts';
import { nearest } from './nearest.ts';
import { isMap } from './service-checks.ts';
import type { Path, Source } from './source.ts';

/** What was taken by then: full names, as `login.token`. */
interface Taken {
  names: string[];
  /** The rest of a sentence about it, after `since`. */
  who: string;
}

/** Values that are named where nothing takes them: in endpoints by any step, in a step by those before it. */
export function loginDiagnostics(source: Source): Diagnostic[] {
  const prepared: string[] = [];
  const inPrepare = preparedRequests(source).flatMap((request) => {
    const own = unknownIn(request, { names: prepared, who: 'the requests before take' }, source);
    prepared.push(...takenBy(request, 'prepare', source));
    return own;
  });
  const known = [...prepared];
  const inSteps = stepsOf(source).flatMap((step) => {
    const own = unknownIn([...step, 'request'], { names: known, who: 'the steps before take' }, source);
    known.push(...takenBy(step, 'login', source));
    return [...own, ...bodyDiagnostics([...step, 'request'], source)];
  });
  const inEndpoints = source
    .entriesAt(['endpoints'])
    .flatMap(([name]) => unknownIn(['endpoints', name], { names: known, who: 'the login takes' }, source));
  return [...inPrepare, ...inSteps, ...inEndpoints, ...shapeDiagnostics(source)];
}

function takenBy(path: Path, prefix: string, source: Source): string[] {
  return source.entriesAt([...path, 'take']).map(([name]) => `${prefix}.${name}`);
}

/** Paths of all requests of `prepare`, in their order. */
function preparedRequests(source: Source): Path[] {
  const steps = source.at(['prepare']);
  if (!Array.isArray(steps)) return [];
  return steps.flatMap((_, index): Path[] => {
    const path = ['prepare', index, 'requests'];
    const requests = source.at(path);
    return Array.isArray(requests) ? requests.map((_each, at) => [...path, at]) : [path];
  });
}

/** Paths of the steps: of the whole login where it is one. */
function stepsOf(source: Source): Path[] {
  const steps = source.at(['login', 'steps']);
  if (steps === undefined) return source.at(['login']) === undefined ? [] : [['login']];
  return Array.isArray(steps) ? steps.map((_, index) => ['login', 'steps', index]) : [];
}

/** One request, or several: never both, and one of them. */
function shapeDiagnostics(source: Source): Diagnostic[] {
  const login = source.at(['login']);
  if (!isMap(login)) return [];
  const has = (key: string) => Object.hasOwn(login, key);
  if (has('steps')) {
    return ['request', 'take', 'expect'].filter(has).map((key) =>
      source.aboutKey(['login', key], {
        code: 'contradiction',
        message: `login has both \`steps\` and \`${key}\`: expected \`${key}\` in a step`,
      }),
    );
  }
  if (has('request')) return [];
  const message = 'login does not say what is asked: expected `request`, or `steps`';
  const lacks = [
    ['login', 'request'],
    ['login', 'steps'],
  ];
  return [source.aboutKey(['login'], { code: 'missing-key', message, expected: 'request or steps', lacks })];
}

function bodyDiagnostics(request: Path, source: Source): Diagnostic[] {
  const has = (key: string) => source.at([...request, key]) !== undefined;
  if (!has('body') || !has('form')) return [];
  const message = `${request.join('.')} has both \`body\` and \`form\`: expected one of them`;
  return [source.aboutKey([...request, 'form'], { code: 'contradiction', message, expected: 'body or form' })];
}

/** Of a request, which may be its path alone. */
function unknownIn(request: Path, taken: Taken, source: Source): Diagnostic[] {
  const entries = (key: string) => source.entriesAt([...request, key]).map(([name]) => [...request, key, name]);
  const places = [request, [...request, 'path'], [...request, 'body'], ...entries('headers'), ...entries('form')];
  return places.flatMap((place) => unknownAt(place, taken, source));
}

function unknownAt(place: Path, { names, who }: Taken, source: Source): Diagnostic[] {
  const text = source.at(place);
  if (typeof text !== 'string') return [];
  const unknown = valuesIn(text).filter((name) => !name.startsWith('env.') && !names.includes(name));
  return unknown.map((name) => {
    const written = `\${${name}}`;
    const prefix = name.slice(0, name.indexOf('.') + 1);
    const alike = names.flatMap((each) => (each.startsWith(prefix) ? [each.slice(prefix.length)] : []));
    const near = nearest(name.slice(prefix.length), alike);
    const all = names.map((each) => `\${${each}}`);
    const hint = near === null ? '' : `; did you mean \`\${${prefix}${near}}\`?`;
    const what = all.length === 0 ? 'nothing' : alternatives(all.map((each) => `\`${each}\``));
    return source.aboutPart(place, written, {
      code: 'unknown-name',
      message: `${place.join('.')}: ${quoted(written)} has no value, since ${who} ${what}: expected a name of \`take\`${hint}`,
      found: written,
      expected: all.length === 0 ? 'a name of take' : alternatives(all),
      nearest: near === null ? null : `\${${prefix}${near}}`,
      lacks: [['login'], ['login', 'take']],
    });
  });
}
