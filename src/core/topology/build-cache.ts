/**
 * The name under which the builds of one branch or pull request share their cache mounts (`RUN --mount=type=cache`); null
 * outside of a workflow. A mount's content is no part of what a layer is known by, so that on a machine that stays a pull
 * request could leave something there which the default branch then builds with.
 */
export function cacheNamespaceOf(environment: Record<string, string | undefined>): string | null {
  const { GITHUB_ACTIONS, GITHUB_REPOSITORY = '', GITHUB_REF = '' } = environment;
  return GITHUB_ACTIONS === 'true' ? `wrkbench:${GITHUB_REPOSITORY}:${GITHUB_REF}` : null;
}

/** BuildKit takes it as a build argument: https://docs.docker.com/reference/dockerfile/#buildkit-built-in-build-args */
export function cacheArguments(namespace: string | null): Record<string, string> {
  return namespace === null ? {} : { BUILDKIT_CACHE_MOUNT_NS: namespace };
}
