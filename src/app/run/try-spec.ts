import type { ResolvedSpec } from '../../core/config/resolved.ts';
import type { SpecDraft } from '../../core/detection/proposal.ts';
import { withoutRateLimit } from '../../core/detection/rate-limit.ts';
import { untried } from '../../core/detection/spec-text.ts';
import { partsWithTables, repairedParts } from '../../core/detection/start-repair.ts';
import type { WantedRuntime } from '../../core/doctor/runtime.ts';
import type { TestbedRuntime } from '../ports/testbed.ts';
import { specInFolder } from '../spec-in-folder.ts';
import { Attempt, type TriedSpec, type TryAdapters, type TryRequest, withParts } from './attempt.ts';

/** Containers where an engine answers and every service has an image, processes where every one has a command; else why neither. */
export async function runtimeFor(
  { services }: Pick<ResolvedSpec, 'services'>,
  wanted: WantedRuntime,
  runtimes: Record<'docker' | 'process', TestbedRuntime>,
): Promise<TestbedRuntime | string> {
  if (wanted !== 'auto') return runtimes[wanted];
  if (services.every(({ image }) => image !== null)) {
    const engine = await runtimes.docker.version().catch(() => null);
    return engine === null ? 'no Docker engine answers' : runtimes.docker;
  }
  const without = services.find(({ command }) => command === null);
  return without === undefined ? runtimes.process : `some services have an image and ${without.name} has no command`;
}

/** Nothing is started, for this reason. */
export function untriedSpec(draft: SpecDraft, why: string): TriedSpec {
  return {
    draft: withParts(draft, { ...draft.parts, trial: untried(why) }),
    lines: [`Not tried: ${why}.`],
    isGood: true,
  };
}

/** Starts each service as a run does and asks it what it serves. Rejects only with the signal's reason. */
export async function trySpec(request: TryRequest, adapters: TryAdapters, signal: AbortSignal): Promise<TriedSpec> {
  const { specDirectory, runId, isRuntimeNamed } = request;
  const { runtime, progress } = adapters;
  let { draft } = request;
  const specOf = ({ content, path }: SpecDraft) => specInFolder(content, path, request.list);
  let spec = await specOf(draft);
  for (const sentence of await runtime.sweep()) progress.say(sentence);
  const prepared = await runtime.prepare(
    { runId, spec, services: spec.services, specDirectory, onLine: (line) => progress.say(line) },
    signal,
  );
  let attempt: Attempt;
  /** As it was before tables were made, which the service may want to make itself after all. */
  let before: SpecDraft | null = null;
  let mayMakeTables = true;
  try {
    for (let repairs = 0; ; repairs += 1) {
      const isLast = repairs === MOST_REPAIRS;
      attempt = new Attempt({ ...request, draft, mayMakeTables: mayMakeTables && !isLast }, spec, adapters, signal);
      for (const service of spec.services) {
        const { artifact, failure } = prepared.find((each) => each.service === service.name)!;
        if (failure !== null) attempt.failed(service, failure);
        else await attempt.ask(service, artifact);
      }
      if (isLast) break;
      if (before !== null && attempt.printed.size > 0) {
        progress.say('It does not come up with them. Starting again without.');
        draft = before;
        spec = await specOf(draft);
        [before, mayMakeTables] = [null, false];
        continue;
      }
      const tables = mayMakeTables ? partsWithTables(draft.parts, [...attempt.printed.values()].flat()) : null;
      const repair =
        tables ??
        repairedParts(draft.parts, attempt.printed, runtime.kind === 'docker') ??
        (attempt.limited === null ? null : withoutRateLimit(draft.parts, attempt.limited));
      if (repair === null) break;
      progress.say(`${repair.sentence} Starting again with that.`);
      before = tables === null ? null : draft;
      draft = withParts(draft, repair.parts);
      spec = await specOf(draft);
    }
  } finally {
    await runtime.release(runId);
  }
  const isProgramMissing =
    runtime.kind === 'process' && prepared.every(({ failure }) => failure?.code === 'start-failed');
  if (isProgramMissing && !isRuntimeNamed) return untriedSpec(draft, withoutEnd(prepared[0]!.failure!.message));
  return attempt.result();
}

function withoutEnd(sentence: string): string {
  return sentence.replace(/\.$/, '');
}

/** Each answers one thing that a service has said. */
const MOST_REPAIRS = 6;
