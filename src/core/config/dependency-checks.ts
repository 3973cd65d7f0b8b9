import { quoted } from '../format/quoted.ts';
import { startOrder } from './dependency-order.ts';
import type { Diagnostic } from './diagnostics.ts';
import { placeholderDiagnostics } from './placeholder-checks.ts';
import type { ResolvedSpec } from './resolved.ts';
import { entrypointDiagnostics, isMap, memoryDiagnostics, originDiagnostics } from './service-checks.ts';
import type { Path, Source } from './source.ts';

/** Each is a container on each side. */
const MOST_DEPENDENCIES = 16;

/** Names that something else of a testbed has already, or that placeholders begin with. */
const TAKEN = ['database', 'env', 'localhost', 'login', 'ports', 'prepare'];

/** What is wrong between the keys of dependencies. */
export function dependencyDiagnostics(source: Source): Diagnostic[] {
  const all = source.entriesAt(['dependencies']);
  const count =
    all.length <= MOST_DEPENDENCIES
      ? []
      : [
          source.aboutKey(['dependencies'], {
            code: 'contradiction',
            message: `dependencies has ${all.length} entries: expected ${MOST_DEPENDENCIES} at most`,
          }),
        ];
  const each = all
    .filter(([, dependency]) => isMap(dependency))
    .flatMap(([name]) => {
      const path = ['dependencies', name];
      return [
        ...nameDiagnostics(name, source),
        ...originDiagnostics(path, source),
        ...entrypointDiagnostics(path, source),
        ...readyDiagnostics(path, source),
        ...memoryDiagnostics(path, source),
        ...placeholderDiagnostics(path, source),
      ];
    });
  return [...count, ...each];
}

/** A circle of names: none of them could be the first. */
export function startOrderDiagnostics({ dependencies = [] }: ResolvedSpec, source: Source): Diagnostic[] {
  const { stuck } = startOrder(dependencies);
  const [first] = stuck;
  if (first === undefined) return [];
  const names = stuck.map(({ name }) => name).join(', ');
  return [
    source.aboutKey(['dependencies', first.name], {
      code: 'contradiction',
      message: `each of the dependencies ${names} waits for another of them: expected one that names none`,
    }),
  ];
}

function nameDiagnostics(name: string, source: Source): Diagnostic[] {
  if (!TAKEN.includes(name)) return [];
  return [
    source.aboutKey(['dependencies', name], {
      code: 'contradiction',
      message: `dependencies.${name} has a name that is taken: expected another than ${TAKEN.join(', ')}`,
      found: name,
    }),
  ];
}

function readyDiagnostics(path: Path, source: Source): Diagnostic[] {
  const ready = source.at([...path, 'ready']);
  const at = [...path, 'ready'];
  const ways = isMap(ready) ? ['path', 'port', 'command'].filter((way) => ready[way] !== undefined) : [];
  if (ways.length > 1) {
    return [
      source.aboutKey(at, {
        code: 'contradiction',
        message: `${at.join('.')} has ${ways.map((way) => `\`${way}\``).join(' and ')}: expected one of them`,
        expected: 'path, port or command',
      }),
    ];
  }
  const needsPort = typeof ready === 'string' || ways.includes('path') || ways.includes('port');
  if (!needsPort || source.at([...path, 'port']) !== undefined) return [];
  const what = typeof ready === 'string' ? quoted(ready) : `\`${ways[0]}\``;
  return [
    source.aboutKey(at, {
      code: 'missing-key',
      message: `${at.join('.')} is ${what}, and ${path.join('.')} has no port: expected \`port\` beside it`,
      expected: 'port',
      lacks: [[...path, 'port']],
    }),
  ];
}
