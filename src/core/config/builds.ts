/**
 * Several builds of one service. Where the linker puts the code decides part of what it costs, and stays as it is in one
 * build for good: a comparison of one build of each side cannot tell that part from a change of the source.
 */

/** Build argument that holds the number of the build, from 1. */
export const BUILD_ARGUMENT = 'WRKBENCH_BUILD';

/** What was had of one service: `builds` holds the artifact of each build where there are several, the first among them. */
export interface Built {
  artifact: string;
  builds?: readonly string[];
}

export function artifactsOf({ artifact, builds }: Built): readonly string[] {
  return builds ?? [artifact];
}

/** The rounds use the builds in turn; what comes before the first round (the published figures) uses the first build. */
export function artifactOfRound(built: Built, round: number): string {
  const artifacts = artifactsOf(built);
  return artifacts[Math.max(0, round - 1) % artifacts.length]!;
}

/** Whether a Dockerfile takes the number of the build, in any stage or before the first. */
export function declaresBuildArgument(dockerfile: string): boolean {
  const withoutComments = dockerfile.replaceAll(/\r\n?/g, '\n').replaceAll(/^[ \t]*#.*\n/gm, '');
  const joined = withoutComments.replaceAll(/[\\`][ \t]*\n/g, ' ');
  return joined.split('\n').some((line) => {
    const names = /^\s*ARG\s+(.*)$/i.exec(line)?.[1] ?? '';
    return names.split(/\s+/).some((part) => part.split('=')[0] === BUILD_ARGUMENT);
  });
}

/** Why a service has one build although several were asked for. */
export type OneBuild =
  | { why: 'image'; reference: string }
  | { why: 'process' }
  /** Its Dockerfile does not take the number. */
  | { why: 'undeclared'; dockerfile: string }
  /** Its Dockerfile takes the number, and all builds came out as one image. */
  | { why: 'unused'; dockerfile: string };

/** Where a reader finds what to write into a Dockerfile. */
export const WHERE_EXPLAINED = '(see docs/builds.md of wrkbench)';

export function oneBuildSentence(service: string, wanted: number, one: OneBuild): string {
  const asked = `gate.builds is ${wanted}, but`;
  switch (one.why) {
    case 'image':
      return `${asked} nothing is built more than once for ${service}: its image ${one.reference} is used as it is.`;
    case 'process':
      return `${asked} nothing is built more than once for ${service}: it runs as a process, which wrkbench does not build.`;
    case 'undeclared':
      return (
        `${asked} ${service} was built once: ${one.dockerfile} does not declare ${BUILD_ARGUMENT}, so all builds would be ` +
        `the same. Add the line \`ARG ${BUILD_ARGUMENT}=1\` to the stage that compiles, and pass the number to the linker ${WHERE_EXPLAINED}.`
      );
    case 'unused':
      return (
        `${asked} all builds of ${service} are the same image: ${one.dockerfile} declares ${BUILD_ARGUMENT} where nothing ` +
        `uses it. Declare it in the stage that compiles, and pass the number to the linker ${WHERE_EXPLAINED}.`
      );
  }
}
