import { quoted } from '../format/quoted.ts';
import { bytesOf, SIZE } from '../values/units.ts';
import { LEAST_MEMORY_BYTES } from './bounds.ts';
import { parseCpuList } from './cpu-list.ts';
import type { Diagnostic } from './diagnostics.ts';
import { placeholderDiagnostics } from './placeholder-checks.ts';
import type { Path, Source } from './source.ts';

/** What is wrong between the keys of services, and between services and the rest of the spec. */
export function serviceDiagnostics(source: Source): Diagnostic[] {
  const services = source.entriesAt(['services']).filter(([, service]) => isMap(service));
  const diagnostics = services.flatMap(([name]) => {
    const path = ['services', name];
    return [
      ...originDiagnostics(path, source),
      ...readyDiagnostics(path, source),
      ...portDiagnostics(path, source),
      ...memoryDiagnostics(path, source),
      ...entrypointDiagnostics(path, source),
      ...placeholderDiagnostics(path, source),
    ];
  });
  if (isMap(source.at(['services'])) && source.entriesAt(['services']).length === 0) {
    diagnostics.push(
      source.aboutKey(['services'], {
        code: 'missing-key',
        message: 'services is empty: expected at least one service',
      }),
    );
  }
  if (services.length > 0 && services.every(([name]) => source.at(['services', name, 'role']) === 'reference')) {
    diagnostics.push(
      source.aboutKey(['services'], {
        code: 'contradiction',
        message: 'every service is a reference: expected at least one with the role subject, which is the default',
      }),
    );
  }
  return diagnostics;
}

export function originDiagnostics(path: Path, source: Source): Diagnostic[] {
  const has = (key: string) => source.at([...path, key]) !== undefined;
  const name = path.join('.');
  if (has('build') && has('image')) {
    return [
      source.aboutKey([...path, 'image'], {
        code: 'contradiction',
        message: `${name} has both \`build\` and \`image\`: expected one of them`,
        expected: 'build or image',
      }),
    ];
  }
  if (has('build') || has('image') || has('command')) return [];
  return [
    source.aboutKey(path, {
      code: 'missing-key',
      message: `${name} does not say what to start: expected \`build\`, \`image\` or \`command\``,
      expected: 'build, image or command',
      lacks: ['build', 'image', 'command'].map((key) => [...path, key]),
    }),
  ];
}

/** Without the image's entrypoint there is nothing to start but a command. */
export function entrypointDiagnostics(path: Path, source: Source): Diagnostic[] {
  const entrypoint = source.at([...path, 'entrypoint']);
  if (!Array.isArray(entrypoint) || entrypoint.length > 0 || source.at([...path, 'command']) !== undefined) return [];
  return [
    source.aboutKey([...path, 'entrypoint'], {
      code: 'contradiction',
      message: `${path.join('.')}.entrypoint is empty, which leaves out the image's command as well: expected \`command\` beside it`,
      expected: 'command',
    }),
  ];
}

function readyDiagnostics(path: Path, source: Source): Diagnostic[] {
  const ready = [...path, 'ready'];
  if (source.at([...ready, 'port']) !== true || source.at([...ready, 'path']) === undefined) return [];
  return [
    source.aboutKey([...ready, 'port'], {
      code: 'contradiction',
      message: `${ready.join('.')} has both \`path\` and \`port\`: expected one of them`,
      expected: 'path or port',
    }),
  ];
}

/** Two names of one port: as a process each would get another one. */
function portDiagnostics(path: Path, source: Source): Diagnostic[] {
  const further = source.entriesAt([...path, 'ports']).map(([name, number]) => [`ports.${name}`, number] as const);
  const named: (readonly [string, unknown])[] = [['port', source.at([...path, 'port'])], ...further];
  return named.slice(1).flatMap(([name, port], index) => {
    const other = named.slice(0, index + 1).find(([, number]) => number === port)?.[0];
    if (other === undefined || typeof port !== 'number') return [];
    return [
      source.aboutKey([...path, ...name.split('.')], {
        code: 'contradiction',
        message: `${path.join('.')}.${name} is ${port}, which is \`${other}\` as well: expected a port of its own`,
        found: String(port),
        expected: 'a port of its own',
      }),
    ];
  });
}

export function memoryDiagnostics(path: Path, source: Source): Diagnostic[] {
  const memory = source.at([...path, 'memory']);
  const readable = typeof memory === 'number' || (typeof memory === 'string' && SIZE.test(memory));
  if (!readable || bytesOf(memory) >= LEAST_MEMORY_BYTES) return [];
  const near = typeof memory === 'number' ? inMebibytes(memory) : null;
  return [
    source.aboutValue([...path, 'memory'], {
      code: 'wrong-value',
      message: `${path.join('.')}.memory is ${bytesOf(memory)} bytes: expected at least 6m${near === null ? '' : `; did you mean \`${near}\`?`}`,
      found: String(memory),
      expected: 'at least 6m',
      nearest: near,
    }),
  ];
}

const MEBIBYTE = 1024 ** 2;
/** A larger number may as well be kibibytes, or be bytes indeed. */
const MOST_MEBIBYTES = 65_536;

/** A number of bytes that is too small, as the mebibytes that were most likely meant; null where these are none that is accepted. */
function inMebibytes(memory: number): string | null {
  const near = `${memory}m`;
  return memory <= MOST_MEBIBYTES && memory * MEBIBYTE >= LEAST_MEMORY_BYTES && SIZE.test(near) ? near : null;
}

/** CPU lists that are none: a pattern sees only their characters. */
export function placementDiagnostics(source: Source): Diagnostic[] {
  return source.entriesAt(['placement']).flatMap(([part, cpus]) => {
    if (typeof cpus !== 'string' || !/^\d/.test(cpus) || /[^\d,-]/.test(cpus) || parseCpuList(cpus) !== null) return [];
    return [
      source.aboutValue(['placement', part], {
        code: 'wrong-value',
        message: `placement.${part} is ${quoted(cpus)}: expected ranges that rise, such as 0-1`,
        found: cpus,
        expected: 'ranges that rise, such as 0-1',
      }),
    ];
  });
}

export function isMap(value: unknown): value is Record<string, unknown> {
  return value !== null && typeof value === 'object' && !Array.isArray(value);
}
