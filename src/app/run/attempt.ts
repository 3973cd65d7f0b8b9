import type { Placement, ResolvedSpec, Service } from '../../core/config/resolved.ts';
import { answeredEndpoints } from '../../core/detection/asking/found-endpoints.ts';
import type { LeftOut } from '../../core/detection/left-out.ts';
import type { SpecDraft } from '../../core/detection/proposal.ts';
import { type SpecParts, specText } from '../../core/detection/spec-text.ts';
import { partsWithTables } from '../../core/detection/start-repair.ts';
import { counted } from '../../core/format/figures.ts';
import { excerptOf } from '../../core/format/printed-lines.ts';
import type { FittedLoad } from '../../core/plan/fitting-load-text.ts';
import { placementFor } from '../../core/topology/placement.ts';
import { testbedFailureReason } from '../measuring/testbed-failure.ts';
import { type Testbed, TestbedError, type TestbedRuntime } from '../ports/testbed.ts';
import { type AskedService, type AskingAdapters, askedService } from './asking.ts';
import { TOO_MANY_REQUESTS } from './endpoint-capacities.ts';
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

/** One of several tries, each of which answers what the service has said at the one before. */
interface AttemptRequest extends TryRequest {
  /** Whether SQL of the repository may be run that nobody has named. */
  mayMakeTables: boolean;
}

/** A spec after its services were started and asked. */
export interface TriedSpec {
  draft: SpecDraft;
  /** What came of it, for the terminal: what did not come up first, with the last lines of its log. */
  lines: string[];
  /** Every service came up, and something was answered. */
  isGood: boolean;
}

/** What is known so far of one spec's services. */
export class Attempt {
  readonly #request: AttemptRequest;
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
  /** A service that answers no more than so many requests in a time. */
  limited: string | null = null;
  #asked: AskedService | null = null;
  #load: FittedLoad | null = null;

  constructor(request: AttemptRequest, spec: ResolvedSpec, adapters: TryAdapters, signal: AbortSignal) {
    this.#request = request;
    this.#spec = spec;
    this.#adapters = adapters;
    this.#signal = signal;
  }

  /** Service → why it did not come up or ended, and its last lines; those too where it lacks tables. */
  readonly printed = new Map<string, readonly string[]>();

  failed(service: Service, { code, message, logLines }: TestbedError): void {
    this.printed.set(service.name, [message, ...logLines]);
    const last = new TestbedError(code, message, excerptOf(logLines, LOG_LINES));
    this.#failures.set(service.name, testbedFailureReason(service, last).message);
  }

  /** Where it has asked for tables in vain that something would make, what it and its database have printed is the reason to begin again. */
  async #lacksTables(testbed: Testbed): Promise<boolean> {
    if (testbed.database === null || !this.#request.mayMakeTables) return false;
    const parts = ['database', 'service'] as const;
    const lines = (await Promise.all(parts.map((part) => testbed.logLines(part, LINES_OF_QUERIES)))).flat();
    const isLacking = partsWithTables(this.#request.draft.parts, lines) !== null;
    if (isLacking) this.printed.set(testbed.service.name, lines);
    return isLacking;
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
        if (this.#asked.failing > 0 && (await this.#lacksTables(testbed))) return;
        const endpoints = endpointsToMeasure(this.#asked);
        const closes = await this.#closesConnections(testbed);
        if (endpoints.length > 0)
          this.#load = (await measured?.(testbed, { endpoints, startSeconds, closes }, this.#signal)) ?? null;
        if (this.#load?.sentences.some((each) => each.includes(TOO_MANY_REQUESTS))) this.limited = service.name;
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
    const isGood = isAnswered && this.#failures.size === 0 && this.limited === null;
    const found = isAnswered
      ? answeredEndpoints({ ...asked, login: asked.login?.sign ?? null })
      : { ...draft.parts.found, leftOut: asked === null ? draft.parts.found.leftOut : asked.leftOut };
    const limit: LeftOut[] = this.limited === null ? [] : [{ what: this.limited, why: RAISE_LIMIT, kind: 'broken' }];
    const parts: SpecParts = {
      ...draft.parts,
      leftOut: [...limit, ...draft.parts.leftOut],
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

const RAISE_LIMIT = `${TOO_MANY_REQUESTS}: no variable was found that raises it, so raise it in the env of the spec or in the code`;
/** Until a service that is started for the first time is up. */
const START_SECONDS = 150;
/** After that, where it is asked in another way. */
const MORE_SECONDS = 10;
/** Lines of a log in which failed queries are looked for. */
const LINES_OF_QUERIES = 200;
const MOST_SOURCES = 3;
const LOG_LINES = 8;
const IN_TURN = 3;

export function withParts(draft: SpecDraft, parts: SpecParts): SpecDraft {
  return { ...draft, parts, content: specText(parts) };
}
