import { type ComposeService, dockerfileOf } from './compose.ts';
import { recipeOf } from './dockerfile.ts';
import type { RepositoryFile } from './files.ts';
import { FILE_SERVER } from './usual-images.ts';

/** A development stage: it compiles at each start, or watches its files. */
const FOR_DEVELOPMENT = /(?:^|[-_.])(?:dev|develop|development|local|debug|watch)(?:$|[-_.\d])/i;

/**
 * A service that its compose file builds for development, as its Dockerfile builds it in the end, which is what is deployed: where that
 * starts by itself and listens where the compose file looks for it. As it is where the compose file starts it in a way of its own.
 */
export function asDeployed(own: ComposeService, files: readonly RepositoryFile[]): ComposeService {
  const { build, command, entrypoint, port } = own;
  if (build === null || 'problem' in build || command !== null || entrypoint !== null) return own;
  const { target } = build;
  const dockerfile = files.find(({ path }) => path === dockerfileOf(build));
  if (target === null || !FOR_DEVELOPMENT.test(target) || dockerfile === undefined) return own;
  const { startsItself, exposed, base } = recipeOf(dockerfile);
  const last = dockerfile.content.match(/^[ \t]*FROM[ \t].*$/gim)?.at(-1) ?? '';
  // What it begins with, and what it is called.
  const isForDevelopment = last.split(/\s+/).some((word) => FOR_DEVELOPMENT.test(word));
  const listens = exposed.length === 0 || port === null || exposed.includes(port);
  if (!startsItself || !listens || isForDevelopment || FILE_SERVER.test(base)) return own;
  const what = `target ${target} of ${own.key} (${own.from})`;
  const why = 'a development stage: the last stage of the Dockerfile is measured, which is what is deployed';
  return { ...own, build: { ...build, target: null }, missing: [...own.missing, { what, why }] };
}

/** Whether a service is a development stage of what another one is measured as its Dockerfile builds it in the end. */
export function isStageOfDeployed(own: ComposeService, project: readonly ComposeService[]): boolean {
  const { build } = own;
  if (build === null || 'problem' in build || build.target === null || !FOR_DEVELOPMENT.test(build.target))
    return false;
  return project.some(
    ({ build: other }) =>
      other !== null && !('problem' in other) && other.target === null && dockerfileOf(other) === dockerfileOf(build),
  );
}
