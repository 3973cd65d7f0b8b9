import type { Dependency } from '../config/dependency.ts';
import { placeholdersIn } from '../config/placeholders.ts';
import type { Service } from '../config/resolved.ts';

type Started = Pick<Service, 'entrypoint' | 'command' | 'env'>;

/** Whether each start of it as a process gets a free port; every other one listens on the port of the spec. */
export function choosesItsPort({ entrypoint = [], command, env }: Started): boolean {
  const texts = [...entrypoint, ...(command ?? []), ...Object.values(env)];
  return texts.some((text) => placeholdersIn(text).some(({ name }) => name === 'port'));
}

/** What listens on a port of one side. */
type Listening = Pick<Service | Dependency, 'name' | 'port'> & Started;

/**
 * Why the two sides of a comparison cannot stand side by side as processes of one machine: services, or dependencies, that both
 * listen on the same port. Null where none do.
 */
export function sharedPort(baseline: readonly Listening[], candidate: readonly Listening[]): string | null {
  const clashing = candidate.filter((each) => {
    const other = baseline.find(({ name }) => name === each.name);
    return each.port !== null && other?.port === each.port && !choosesItsPort(other) && !choosesItsPort(each);
  });
  if (clashing.length === 0) return null;
  const all = clashing.map(({ name, port }) => `${name} (port ${port})`).join(', ');
  return (
    `Baseline and candidate stand side by side as processes of this machine, and both would listen on the same port: ${all}. ` +
    'Write ${port} into the command or env of the candidate, as in env: {PORT: "${port}"}: then each start gets a free one. ' +
    'Or run with --runtime docker.'
  );
}
