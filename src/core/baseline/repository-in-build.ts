/** Files in a build's context from which a program may take its version: of the repository, where they say so. */
export const VERSIONED_BY = ['pyproject.toml', 'setup.cfg', 'setup.py', 'Makefile'];

const IN_DOCKERFILE = [
  // `COPY .git/ .`, `--mount=type=bind,source=.git,target=.git`
  /^\s*(?:COPY|ADD)\b.*?\s(?:\S*\/)?\.git(?:\/\S*)?(?:\s|$)/im,
  /\b(?:source|src)=(?:\.\/)?\.git\b/i,
  /\bgit\s+(?:-C\s+\S+\s+)?(?:describe|rev-parse|rev-list|log|show|status|submodule)\b/,
];
const IN_SETTINGS =
  /\b(?:setuptools[-_]scm|hatch-vcs|versioningit|poetry-dynamic-versioning|setuptools-git-versioning|versioneer)\b/;
const IN_MAKEFILE = /\bgit\s+(?:describe|rev-parse|rev-list|log)\b/;

/**
 * Whether the build of an image reads the repository that its files lie in, and so needs more than the files. Where it does not, it is
 * better without: the same files then make the same image, whatever their commit.
 */
export function readsRepository(dockerfile: string, settings: Readonly<Record<string, string>>): boolean {
  if (IN_DOCKERFILE.some((pattern) => pattern.test(dockerfile))) return true;
  const { Makefile = '', ...others } = settings;
  if (Object.values(others).some((text) => IN_SETTINGS.test(text))) return true;
  return /\bmake\b/.test(dockerfile) && IN_MAKEFILE.test(Makefile);
}
