import type { Diagnostic } from './diagnostics.ts';
import { placeholderDiagnostics } from './placeholder-checks.ts';
import { JOB_KEYS, STEP_KINDS } from './prepare.ts';
import { isMap } from './service-checks.ts';
import type { Source } from './source.ts';

const KINDS_PHRASE = 'one of job, sql, start and requests';

/** What is wrong between the keys of steps, and with placeholders in jobs. */
export function prepareDiagnostics(source: Source): Diagnostic[] {
  const steps = source.at(['prepare']);
  if (!Array.isArray(steps)) return [];
  return [...keeperDiagnostics(source), ...steps.flatMap((step, index) => stepDiagnostics(step, index, source))];
}

/** Something must keep what the steps make. */
function keeperDiagnostics(source: Source): Diagnostic[] {
  const dependencies = source.entriesAt(['dependencies']).map(([name]) => ['dependencies', name, 'volumes']);
  const keepers = [['database'], ...dependencies];
  if (keepers.some((path) => source.at(path) !== undefined)) return [];
  const message =
    '`prepare` makes data, and nothing keeps them: expected `database` at the top of the spec, or a dependency with `volumes`';
  return [source.aboutKey(['prepare'], { code: 'missing-key', message, expected: 'database', lacks: keepers })];
}

function stepDiagnostics(step: unknown, index: number, source: Source): Diagnostic[] {
  if (!isMap(step)) return [];
  const path = ['prepare', index];
  const kinds = STEP_KINDS.filter((kind) => step[kind] !== undefined);
  const known: readonly string[] = [...STEP_KINDS, ...JOB_KEYS];
  // One that is meant, and not written right, is told of as such.
  if (kinds.length === 0 && Object.keys(step).some((key) => !known.includes(key))) return [];
  if (kinds.length !== 1) {
    const what = kinds.length === 0 ? 'says nothing to do' : `has ${kinds.map((kind) => `\`${kind}\``).join(' and ')}`;
    const message = `${path.join('.')} ${what}: expected ${KINDS_PHRASE}`;
    return [source.aboutValue(path, { code: 'contradiction', message, expected: KINDS_PHRASE })];
  }
  if (kinds[0] === 'job') return placeholderDiagnostics(path, source);
  return JOB_KEYS.filter((key) => step[key] !== undefined).map((key) =>
    source.aboutKey([...path, key], {
      code: 'contradiction',
      message: `${path.join('.')} has \`${key}\`, which only a job has: expected \`job\` beside it`,
      expected: 'job',
    }),
  );
}
