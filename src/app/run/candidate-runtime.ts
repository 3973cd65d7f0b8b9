import type { Progress } from '../ports/progress.ts';
import type { PreparedService, PrepareRequest, TestbedRuntime } from '../ports/testbed.ts';
import { type ResumedRun, refuseOtherArtifacts } from './resume.ts';

export interface CandidatePreparing {
  /** A clean checkout of the candidate's commit, where its images are built; null takes its own folder. */
  buildDirectory: string | null;
  resumed: ResumedRun | null;
  /** Folder that the gateway's configuration of both sides is in, where it is there; null for that of each side's spec. */
  gatewayDirectory?: string | null;
}

/** The runtime as the candidate is prepared, and both sides are started, by it. `prepare` rejects with `UsageError` where a resumed run had another program. */
export function candidateRuntime(
  runtime: TestbedRuntime,
  { buildDirectory, resumed, gatewayDirectory = null }: CandidatePreparing,
  progress: Progress,
): TestbedRuntime {
  /** Of what stands beside the services, too. */
  let builtIn: string | null = null;
  return {
    ...runtime,
    start: (request, signal) =>
      runtime.start(
        {
          ...request,
          ...(gatewayDirectory === null ? {} : { gatewayDirectory }),
          ...(builtIn === null || request.variant === 'baseline' ? {} : { buildDirectory: builtIn }),
        },
        signal,
      ),
    async prepare(request, signal) {
      const found =
        buildDirectory === null
          ? { prepared: await runtime.prepare(request, signal), directory: null }
          : await preparedIn(buildDirectory, runtime, request, progress, signal);
      builtIn = found.directory;
      if (resumed !== null) refuseOtherArtifacts(resumed, 'candidate', found.prepared);
      return found.prepared;
    },
  };
}

/** What does not build from a clean checkout may still build among the files that git ignores: then it is measured so. */
async function preparedIn(
  specDirectory: string,
  runtime: TestbedRuntime,
  request: PrepareRequest,
  progress: Progress,
  signal: AbortSignal,
): Promise<{ prepared: PreparedService[]; directory: string }> {
  const prepared = await runtime.prepare({ ...request, specDirectory }, signal);
  const failed = prepared.filter(({ failure }) => failure?.code === 'build-failed');
  if (failed.length === 0) return { prepared, directory: specDirectory };
  const services = request.services.filter(({ name }) => failed.some(({ service }) => service === name));
  const again = await runtime.prepare({ ...request, services }, signal);
  // What builds in neither way is told by its first failure, and by nothing else.
  const built = again.filter(({ failure }) => failure === null);
  for (const { service } of built) {
    progress.warn(
      `${service} does not build from a clean checkout of its commit: it was built from the files as they stand.`,
    );
  }
  return {
    prepared: prepared.map((each) => built.find(({ service }) => service === each.service) ?? each),
    directory: built.length === 0 ? specDirectory : request.specDirectory,
  };
}
