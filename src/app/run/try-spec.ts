import type { Placement, ResolvedSpec, Service } from '../../core/config/resolved.ts';
import { answeredEndpoints } from '../../core/detection/asking/found-endpoints.ts';
import type { SpecDraft } from '../../core/detection/proposal.ts';
import { type SpecParts, specText, untried } from '../../core/detection/spec-text.ts';
import { repairedParts } from '../../core/detection/start-repair.ts';
import type { WantedRuntime } from '../../core/doctor/runtime.ts';
import { counted } from '../../core/format/figures.ts';
import { excerptOf } from '../../core/format/printed-lines.ts';
import type { FittedLoad } from '../../core/plan/fitting-load-text.ts';
import { placementFor } from '../../core/topology/placement.ts';
import { testbedFailureReason } from '../measuring/testbed-failure.ts';
import { type Testbed, TestbedError, type TestbedRuntime } from '../ports/testbed.ts';
import { specInFolder } from '../spec-in-folder.ts';
import { type AskedService, type AskingAdapters, askedService } from './asking.ts';
import { alsoAnswered, type EndpointToMeasure, endpointsToMeasure, firstKept } from './kept-endpoints.ts';

export interface TryAdapters extends AskingAdapters {
  runtime: TestbedRuntime;
}

/** Measures the endpoints of a service that is up for a load that fits them. */
export type Measured = (testbed: Testbed, asked: EndpointsAsked, signal: AbortSignal) => Promise<FittedLoad>;

interface EndpointsAsked {
  /** Paths begin at the root of the service, and whoever has to be logged in is. */
  endpoints: readonly EndpointToMeasure[];
  /** Until the service was up; 0 where its data were made meanwhile. */
  startSeconds: number;
  /** It closes each connection by design. */
  closes: boolean;
}

export interface TryRequest {
  runId: string;
  draft: SpecDraft;
  specDirectory: string;
  /** Paths of that folder, relative to it. */
  list(): Promise<readonly string[]>;
  placement: Placement;
  /** Whoever has not named the runtime is told that it cannot start anything, and no more. */
  isRuntimeNamed: boolean;
  measured?: Measured;
}

/** A spec after its services were started and asked. */
export interface TriedSpec {
  draft: SpecDraft;
  /** What came of it, for the terminal: what did not come up first, with the last lines of its log. */
  lines: string[];
  /** Every service came up, and something was answered. */
  isGood: boolean;
}

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
  const spec = await specInFolder(draft.content, draft.path, request.list);
  for (const sentence of await runtime.sweep()) progress.say(sentence);
  const prepared = await runtime.prepare(
    { runId, spec, services: spec.services, specDirectory, onLine: (line) => progress.say(line) },
    signal,
  );
  let attempt: Attempt;
  try {
    for (let repairs = 0; ; repairs += 1) {
      const own = await specInFolder(draft.content, draft.path, request.list);
      attempt = new Attempt({ ...request, draft }, own, adapters, signal);
      for (const service of own.services) {
        const { artifact, failure } = prepared.find((each) => each.service === service.name)!;
        if (failure !== null) attempt.failed(service, failure);
        else await attempt.ask(service, artifact);
      }
      const repair = repairedParts(draft.parts, attempt.printed, runtime.kind === 'docker');
      if (repair === null || repairs === MOST_REPAIRS) break;
      progress.say(`${repair.sentence} Starting again with that.`);
      draft = withParts(draft, repair.parts);
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

/** What is known so far of one spec's services. */
class Attempt {
  readonly #request: TryRequest;
  readonly #spec: ResolvedSpec;
  readonly #adapters: TryAdapters;
  readonly #signal: AbortSignal;
  readonly #failures = new Map<string, string>();
  /** Services whose own path did not show that they are up. */
  readonly #unready = new Set<string>();
  /** Service → seconds until it was up. */
  readonly #startSeconds = new Map<string, number>();
  /** Services that close each connection by design. */
  readonly #closing = new Set<string>();
  #asked: AskedService | null = null;
  #load: FittedLoad | null = null;

  constructor(request: TryRequest, spec: ResolvedSpec, adapters: TryAdapters, signal: AbortSignal) {
    this.#request = request;
    this.#spec = spec;
    this.#adapters = adapters;
    this.#signal = signal;
  }

  /** Of what did not come up or ended, the last lines. */
  readonly printed: string[] = [];

  failed(service: Service, { code, message, logLines }: TestbedError): void {
    this.printed.push(...logLines);
    const last = new TestbedError(code, message, excerptOf(logLines, LOG_LINES));
    this.#failures.set(service.name, testbedFailureReason(service, last).message);
  }

  /** The first service that comes up is asked what it serves, the others whether they serve that as well. */
  async ask(service: Service, artifact: string): Promise<void> {
    this.#adapters.progress.say(`Starting ${service.name}.`);
    const { clock } = this.#adapters;
    const startedNs = clock.monotonicNs();
    const testbed = await this.#started(service, artifact);
    if (testbed === null) return;
    const startSeconds = this.#spec.prepare === undefined ? (clock.monotonicNs() - startedNs) / 1e9 : 0;
    this.#startSeconds.set(service.name, startSeconds);
    const { draft, measured } = this.#request;
    try {
      if (this.#asked === null) {
        this.#asked = await askedService(testbed, draft.sources, this.#adapters, this.#signal);
        const endpoints = endpointsToMeasure(this.#asked);
        const closes = await this.#closesConnections(testbed);
        if (endpoints.length > 0)
          this.#load = (await measured?.(testbed, { endpoints, startSeconds, closes }, this.#signal)) ?? null;
        if (this.#load !== null) this.#asked = firstKept(this.#asked, this.#load.endpoints.length);
      } else {
        this.#asked = await alsoAnswered(testbed, this.#asked, this.#adapters, this.#signal);
        await this.#closesConnections(testbed);
      }
      const fallen = await testbed.failure();
      if (fallen !== null) this.failed(service, fallen);
    } finally {
      await testbed.stop();
    }
  }

  /** Whether it is up is seen by the path that files name for that, or else by its open port; null where it does not come up. */
  async #started(service: Service, artifact: string): Promise<Testbed | null> {
    const { draft, runId, specDirectory, placement } = this.#request;
    const isNamed = draft.parts.services.find(({ name }) => name === service.name)?.ready != null;
    const paths = isNamed ? [service.ready.path, null] : [null];
    for (const [index, path] of paths.entries()) {
      // How long it takes is seen here for the first time.
      const timeoutSeconds = index === 0 ? Math.max(service.ready.timeoutSeconds, START_SECONDS) : MORE_SECONDS;
      const own: Service = { ...service, basePath: '', ready: { ...service.ready, path, timeoutSeconds } };
      try {
        return await this.#adapters.runtime.start(
          {
            runId,
            spec: this.#spec,
            service: own,
            variant: 'candidate',
            round: index + 1,
            placement: placementFor(service, placement),
            specDirectory,
            artifact,
          },
          this.#signal,
        );
      } catch (error) {
        if (!(error instanceof TestbedError)) throw error;
        if (error.code !== 'not-ready' || index === paths.length - 1) {
          this.failed(service, error);
          return null;
        }
        this.#unready.add(service.name);
      }
    }
    return null;
  }

  /** Asked some times in turn over a connection that it may keep, it has taken a new one for each: all cases that keep theirs would be invalid. */
  async #closesConnections(testbed: Testbed): Promise<boolean> {
    const reading =
      this.#asked === null ? [] : endpointsToMeasure(this.#asked).filter(({ method }) => method === 'GET');
    const [endpoint] = reading;
    if (endpoint === undefined) return false;
    const { probe } = this.#adapters;
    const origin = testbed.origins.direct!;
    const { connections } = await probe.askInTurn(origin, testbed.service, endpoint, IN_TURN, this.#signal);
    if (connections === IN_TURN) this.#closing.add(testbed.service.name);
    return connections === IN_TURN;
  }

  result(): TriedSpec {
    const { draft } = this.#request;
    const asked = this.#asked;
    const isAnswered = asked !== null && asked.kept.length > 0;
    const isGood = isAnswered && this.#failures.size === 0;
    const found = isAnswered
      ? answeredEndpoints({ ...asked, login: asked.login?.sign ?? null })
      : { ...draft.parts.found, leftOut: asked === null ? draft.parts.found.leftOut : asked.leftOut };
    const parts: SpecParts = {
      ...draft.parts,
      services: draft.parts.services.map((service) => ({
        ...service,
        closesConnections: this.#closing.has(service.name),
        startSeconds: this.#startSeconds.get(service.name),
        ready: this.#unready.has(service.name) ? (asked?.health ?? null) : (service.ready ?? asked?.health ?? null),
      })),
      found,
      trial: { sentence: this.#sentence(isAnswered), isGood, failures: this.#failures, load: this.#load?.text ?? null },
    };
    return {
      draft: withParts(draft, parts),
      lines: [
        ...this.#failures.values(),
        ...(asked === null ? [] : [this.#askedLine(asked)]),
        ...(this.#load?.sentences ?? []),
      ],
      isGood,
    };
  }

  #sentence(isAnswered: boolean): string {
    if (!isAnswered) return 'Tried by `wrkbench init`, and nothing answered: correct it, then `wrkbench validate`.';
    return 'What wrkbench measures here: `wrkbench init` has started it, and each endpoint answered twice as it says.';
  }

  #askedLine({ asked, kept, from }: AskedService): string {
    const up = this.#spec.services.map(({ name }) => name).filter((name) => !this.#failures.has(name));
    const as = this.#adapters.runtime.kind === 'docker' ? 'in Docker' : 'as a process';
    const shown = from.slice(0, MOST_SOURCES).join(', ');
    const where = from.length === 0 ? '' : ` (${shown}${from.length > MOST_SOURCES ? ', …' : ''})`;
    return `Started ${up.join(', ')} ${as} and asked for ${counted(asked, 'path')}${where}: ${counted(kept.length, 'endpoint')} kept.`;
  }
}

/** Until a service that is started for the first time is up. */
const START_SECONDS = 150;
/** After that, where it is asked in another way. */
const MORE_SECONDS = 10;
/** Each answers one thing that a service has said. */
const MOST_REPAIRS = 4;
const MOST_SOURCES = 3;
const LOG_LINES = 8;
const IN_TURN = 3;

function withParts(draft: SpecDraft, parts: SpecParts): SpecDraft {
  return { ...draft, parts, content: specText(parts) };
}
