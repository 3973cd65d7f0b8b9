import { placeholdersIn } from '../config/placeholders.ts';
import type { Service } from '../config/resolved.ts';

/** Whether each start of the service as a process gets a free port; every other one listens on the port of the spec. */
export function choosesItsPort({ command, env }: Service): boolean {
  const texts = [...(command ?? []), ...Object.values(env)];
  return texts.some((text) => placeholdersIn(text).some(({ name }) => name === 'port'));
}

/**
 * Why the two sides of a comparison cannot stand side by side as processes of one machine: services that both listen on the
 * same port. Null where none do.
 */
export function sharedPort(baseline: readonly Service[], candidate: readonly Service[]): string | null {
  const clashing = candidate.filter((service) => {
    const other = baseline.find(({ name }) => name === service.name);
    return other?.port === service.port && !choosesItsPort(other) && !choosesItsPort(service);
  });
  if (clashing.length === 0) return null;
  const all = clashing.map(({ name, port }) => `${name} (port ${port})`).join(', ');
  return (
    `Baseline and candidate stand side by side as processes of this machine, and both would listen on the same port: ${all}. ` +
    'Write ${port} into the command or env of the candidate, as in env: {PORT: "${port}"}: then each start gets a free one. ' +
    'Or run with --runtime docker.'
  );
}
