import { quoted } from '../format/quoted.ts';
import type { Diagnostic } from './diagnostics.ts';
import type { Path, Source } from './source.ts';

/**
 * Values that become text and would become another than the one that is written, since YAML reads them as a number or as true or
 * false: `3.10` is 3.1, `0022` is 22, `True` is true. One for each place: what aliases repeat is told once.
 */
export function rewrittenDiagnostics(source: Source): Diagnostic[] {
  const told = new Map<string, Diagnostic>();
  for (const path of placesOfText(source)) {
    const diagnostic = rewritten(path, source);
    const place = `${diagnostic?.line}:${diagnostic?.column}`;
    if (diagnostic !== null && !told.has(place)) told.set(place, diagnostic);
  }
  return [...told.values()];
}

/** Of each map whose values become text, and of each word of a command. */
function placesOfText(source: Source): Path[] {
  const entries = (path: Path) => source.entriesAt(path).map(([key]) => [...path, key]);
  const items = (path: Path) => {
    const list = source.at(path);
    return Array.isArray(list) ? list.map((_, index) => [...path, index]) : [];
  };
  return [
    ...entries(['services']).flatMap((service) => [
      ...entries([...service, 'build', 'args']),
      ...entries([...service, 'env']),
      ...items([...service, 'command']),
    ]),
    ...entries(['database', 'settings']),
    ...entries(['endpoints']).flatMap((endpoint) => entries([...endpoint, 'headers'])),
    ...[['login'], ...items(['login', 'steps'])].flatMap((step) => [
      ...entries([...step, 'request', 'headers']),
      ...entries([...step, 'request', 'form']),
    ]),
  ];
}

function rewritten(path: Path, source: Source): Diagnostic | null {
  const value = source.at(path);
  const written = source.writtenAt(path);
  if ((typeof value !== 'number' && typeof value !== 'boolean') || written === null) return null;
  // A tag makes a number of a text in quotes, and says so.
  if (written === String(value) || /^["']/.test(written)) return null;
  const near = JSON.stringify(written);
  return source.aboutValue(path, {
    code: 'wrong-value',
    message: `${path.join('.')} is ${quoted(written)}, which is read as ${value}: put it in quotes, or write ${value}`,
    found: written.slice(0, 60),
    expected: `${near} or ${value}`,
    nearest: near,
  });
}
