import type { ResolvedSpec } from '../core/spec/resolved.ts';
import { UsageError } from './failures.ts';
import type { StageRuntime } from './ports.ts';

export type RuntimeChoice = 'docker' | 'process' | 'auto';

/**
 * The runtime that services are started with, and a word about it where nobody asked for it. `auto`: containers where
 * every service has an image and an engine answers, else processes where every service has a command.
 */
export async function chosenRuntime(
  choice: RuntimeChoice,
  { services }: ResolvedSpec,
  runtimes: Record<'docker' | 'process', StageRuntime>,
): Promise<{ runtime: StageRuntime; word: string | null }> {
  const withoutImage = services.filter(({ image }) => image === null).map(({ name }) => name);
  const withoutCommand = services.filter(({ command }) => command === null).map(({ name }) => name);
  if (choice === 'docker' && withoutImage.length > 0) {
    throw new UsageError(
      `${withoutImage.join(', ')}: a container needs "image" or "build" in the spec. Add one, or run with --runtime process.`,
    );
  }
  if (choice === 'process' && withoutCommand.length > 0) {
    throw new UsageError(
      `${withoutCommand.join(', ')}: runtime process needs a "command" in the spec. Add one, or run with --runtime docker.`,
    );
  }
  if (choice !== 'auto') return { runtime: runtimes[choice], word: null };

  if (withoutImage.length > 0) {
    if (withoutCommand.length === 0) return { runtime: runtimes.process, word: null };
    throw new UsageError(
      `${withoutImage.join(', ')} can only run as a process and ${withoutCommand.join(', ')} only in a container; a run has one runtime for all. Give each service both "command" and "image" or "build".`,
    );
  }
  const engine = await runtimes.docker.version().catch(() => null);
  if (engine === null && withoutCommand.length === 0) {
    return {
      runtime: runtimes.process,
      word: 'No Docker engine answers, so services run as processes of this machine.',
    };
  }
  return { runtime: runtimes.docker, word: null };
}
