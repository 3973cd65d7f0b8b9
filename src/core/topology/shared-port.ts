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

/** Those that every start of it as a process listens on: number → name of the placeholder that would change it. */
function fixedPorts(listening: Listening): Map<number, string> {
  const { port, ports = {} } = listening;
  const named = Object.entries(ports).map(([name, number]) => [number, portPlaceholder(name)] as const);
  const all = [...(port === null ? [] : [[port, 'port'] as const]), ...named];
  return new Map(all.filter(([, placeholder]) => !choosesItsPort(listening, placeholder)));
}

/**
 * Why the two sides of a comparison cannot stand side by side as processes of one machine: services, or dependencies, that both
 * listen on the same port. Null where none do.
 */
export function sharedPort(baseline: readonly Listening[], candidate: readonly Listening[]): string | null {
  const clashes = candidate.flatMap((each) => {
    const other = baseline.find(({ name }) => name === each.name);
    const taken = other === undefined ? new Map<number, string>() : fixedPorts(other);
    const shared = [...fixedPorts(each)].filter(([number]) => taken.has(number));
    return shared.map(([number, placeholder]) => ({ what: `${each.name} (port ${number})`, placeholder }));
  });
  if (clashes.length === 0) return null;
  const all = clashes.map(({ what }) => what).join(', ');
  const placeholders = [...new Set(clashes.map(({ placeholder }) => placeholder))];
  const written = placeholders.map((placeholder) => `\${${placeholder}}`).join(' and ');
  const example = `env: {${variableFor(placeholders[0]!)}: "\${${placeholders[0]}}"}`;
  return (
    `Baseline and candidate stand side by side as processes of this machine, and both would listen on the same port: ${all}; ` +
    `write ${written} into the command or env of the candidate, as in ${example}, so that each start gets a free one, or run with --runtime docker.`
  );
}

function variableFor(placeholder: string): string {
  const name = placeholder.split('.')[1];
  return name === undefined ? 'PORT' : `${name.toUpperCase().replaceAll('-', '_')}_PORT`;
}
