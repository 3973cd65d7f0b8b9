import type { Dependency } from '../config/dependency.ts';
import { placeholdersIn, portPlaceholder } from '../config/placeholders.ts';
import type { Service } from '../config/resolved.ts';

type Started = Pick<Service, 'entrypoint' | 'command' | 'env'>;

/**
 * Whether each start of it as a process gets a free port, of the name that its placeholder has; every other one listens on the port
 * of the spec.
 */
export function choosesItsPort({ entrypoint = [], command, env }: Started, placeholder = 'port'): boolean {
  const texts = [...entrypoint, ...(command ?? []), ...Object.values(env)];
  return texts.some((text) => placeholdersIn(text).some(({ name }) => name === placeholder));
}

/** What listens on ports of one side. */
type Listening = Pick<Service | Dependency, 'name' | 'port'> & Partial<Pick<Service, 'ports'>> & Started;

/** One side of a comparison; its services one after the other, each with all of its dependencies. */
export interface ListeningSide {
  services: readonly (Listening & Pick<Service, 'network'>)[];
  dependencies?: readonly Listening[];
}

/**
 * Why the two sides of a comparison cannot stand side by side as processes of one machine: services, or dependencies, that both
 * listen on the same port. Null where none do, or one of the two has a network of its own.
 */
export function sharedPort(baseline: ListeningSide, candidate: ListeningSide): string | null {
  const together = candidate.services.flatMap((each) => {
    const other = baseline.services.find(({ name }) => name === each.name);
    return other === undefined || each.network === 'internal' || other.network === 'internal' ? [] : [{ each, other }];
  });
  const beside = (together.length === 0 ? [] : (candidate.dependencies ?? [])).flatMap((each) => {
    const other = baseline.dependencies?.find(({ name }) => name === each.name);
    return other === undefined ? [] : [{ each, other }];
  });
  const clashes = [...together, ...beside].flatMap(clashesOf);
  return clashes.length === 0 ? null : sentenceOf(clashes);
}

interface Clash {
  what: string;
  /** Which would change the port. */
  placeholder: string;
}

function clashesOf({ each, other }: { each: Listening; other: Listening }): Clash[] {
  const taken = fixedPorts(other);
  const shared = [...fixedPorts(each)].filter(([number]) => taken.has(number));
  return shared.map(([number, placeholder]) => ({ what: `${each.name} (port ${number})`, placeholder }));
}

/** Those that every start of it as a process listens on: number → name of the placeholder that would change it. */
function fixedPorts(listening: Listening): Map<number, string> {
  const { port, ports = {} } = listening;
  const named = Object.entries(ports).map(([name, number]) => [number, portPlaceholder(name)] as const);
  const all = [...(port === null ? [] : [[port, 'port'] as const]), ...named];
  return new Map(all.filter(([, placeholder]) => !choosesItsPort(listening, placeholder)));
}

function sentenceOf(clashes: readonly Clash[]): string {
  const all = clashes.map(({ what }) => what).join(', ');
  const placeholders = [...new Set(clashes.map(({ placeholder }) => placeholder))];
  const written = placeholders.map((placeholder) => `\${${placeholder}}`).join(' and ');
  const example = `env: {${variableFor(placeholders[0]!)}: "\${${placeholders[0]}}"}`;
  return (
    `Baseline and candidate stand side by side as processes of this machine, and both would listen on the same port: ${all}; ` +
    `write ${written} into the command or env of the candidate, as in ${example}, so that each start gets a free one, ` +
    'or give the service `network: internal` and run as root, or run with --runtime docker.'
  );
}

function variableFor(placeholder: string): string {
  const name = placeholder.split('.')[1];
  return name === undefined ? 'PORT' : `${name.toUpperCase().replaceAll('-', '_')}_PORT`;
}
