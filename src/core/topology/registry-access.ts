/** The registry that an image comes from, and why an image is not had where that lets nobody in. */

export const DOCKER_HUB = 'docker.io';

/** The registry that an image is pulled from: what stands before the first `/` is a host where it cannot be a folder. */
export function registryOf(reference: string): string {
  const [first = '', ...rest] = reference.split('/');
  return rest.length > 0 && /[.:]|^localhost$/.test(first) ? first : DOCKER_HUB;
}

/** What registries, the engine and BuildKit say where somebody is not let in. */
const REFUSED =
  /no basic auth credentials|unauthori[sz]ed|authentication required|access denied|(?:^|: )denied\b|forbidden|unauthenticated request|incorrect username or password/i;

/**
 * Why an image is not had, where its registry did not let the engine in; null where `said`, one sentence of the engine's, is about
 * something else. `isKnown`: there is a login for it.
 */
export function refusedAccess(reference: string, said: string, isKnown: boolean): string | null {
  if (!REFUSED.test(said)) return null;
  const registry = registryOf(reference);
  const byHand = registry === DOCKER_HUB ? 'docker login' : `docker login ${registry}`;
  return isKnown
    ? `its registry ${registry} refuses the login that it was given: correct the name of the image, or give a login that may pull it (\`${byHand}\`; in a workflow, the input \`registries\`)`
    : `its registry ${registry} requires a login, and there is none: give one (\`${byHand}\`; in a workflow, the input \`registries\`, of which a pull request from a fork gets nothing)`;
}

/** The image that a build could not begin with; null where it failed for another reason. */
export function refusedBase(said: string): string | null {
  if (!REFUSED.test(said) || /did not complete successfully|returned a non-zero code/.test(said)) return null;
  const [, pulled] = /pull access denied for ([^\s,]+)/.exec(said) ?? [];
  // BuildKit names the image as it stands in the Dockerfile, the older builder the address that it has asked.
  const [, resolved] = /source metadata for (\S+): /.exec(said) ?? [];
  const [, host, name, tag] =
    /https?:\/\/([^/"\s]+)\/v2\/([^"\s]+?)\/manifests\/(sha256:[0-9a-f]+|[\w.-]+)/.exec(said) ?? [];
  const asked = tag === undefined ? undefined : `${host}/${name}${tag.startsWith('sha256:') ? '@' : ':'}${tag}`;
  return resolved ?? asked ?? pulled ?? null;
}
