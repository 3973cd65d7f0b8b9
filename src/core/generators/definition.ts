import type { InvokedRequest, RequestSet } from '../requests/request-set.ts';
import { UserError } from '../user-error.ts';
import type { LoadDefinition, LoadForms, LoadOfCase, OpenArrival } from './load.ts';
import type { GeneratorOutcome } from './outcome.ts';

/**
 * All that the rest of the program knows of a generator: how it is called and read, and what it does otherwise than others. A new
 * one is a folder here and a line in `registry.ts`.
 */
export interface GeneratorDefinition<
  Forms extends LoadForms = LoadForms,
  Name extends string = Forms['ofCase']['generator'],
> {
  name: Name;
  load: LoadDefinition<Forms>;
  program: GeneratorProgram;
  /** What a latency is with it: why those of two generators never stand in one table. A sentence without its end. */
  latencyMeaning: string;
  /** What it can ask a service in. */
  protocols: readonly Protocol[];
  /** It can open a connection for each request: keep-alive off. */
  closesConnections: boolean;
  /** Its latencies are whole milliseconds: decimals would claim what it did not measure. */
  wholeMilliseconds: boolean;
  /** Which requests that differ from each other it can send in turn: any, those with the same method, headers and body, or none. */
  requestSets: 'any' | 'urls' | 'none';
  /** Its closed loop is steady enough to gate throughput, and CPU per request where no database is asked. */
  gatesClosedLoop: boolean;
  /** Its closed loop tells what it has sent, and keeps its connections until that is answered (`endedLine`), but for a script of the user's. */
  countsSent: boolean;
  /** Its closed loop asks as fast as it is answered, so that either it or the server is busy unless something else is waited for. */
  closedLoopKeepsBusy: boolean;
  /** Whether an answer with this status is a failed one for it, whatever the spec expects; of the user's own script it is not known. */
  countsAsFailed(status: number): boolean;
  /** Its failed requests hold those whose status was bad; else these are counted apart. */
  failedHoldsBadStatus: boolean;
  /** It opens all of its connections at the start, as many as `openedConnections`: fewer that the server accepted are lost. */
  opensAllAtOnce: boolean;
  openedConnections(load: Forms['ofCase'], connections: number): number;
  /** It reads a body that only the end of its connection ends; else each such answer is a failed request for it. */
  readsUntilClosed: boolean;
  /** Its requests, without a script of the user's, are those of the unloaded pass, so that answers under load have as many bytes. */
  asksAsThePass: boolean;
  /** Requests per second that are asked of it whatever comes back; null for a closed loop. */
  arrivalOf(load: Forms['ofCase']): OpenArrival | null;
  /** What stands behind the `@` of a case's key in a closed loop, where a rate would: `vus`. Null where no key of its holds a rate. */
  closedLoopInKey: string | null;
  /**
   * The same load as a closed loop of so many seconds, by which is found how much the generator can send; null where it is never
   * what limits a rate.
   */
  asClosedLoop(load: Forms['ofCase'], seconds: number): Forms['ofCase'] | null;
  /** CPU time that it spends on a request at a rate, by that of its closed loop. */
  openModelCost: number;
  /** At a rate, how long its connections wait from one moment of sending to the next; 0 where it sends evenly. */
  burstSeconds: number;
  /** null where it is not told a number of threads. */
  threadsOf(load: Forms['ofCase']): number | null;
  seconds: {
    /** Of a trial of both sides at once; 0 where it sends a number of requests instead. */
    duet: number;
    /** The same in a large matrix, and of a short solo trial. */
    shortDuet: number;
    shortSolo: number;
    /** Starting it, and reading what it left. */
    start: number;
    /** What it sends before a trial of its own, and before one of both sides. */
    leadIn(load: Forms['ofCase']): number;
    leadInOfDuet(load: Forms['ofCase']): number;
    /** Of the load of a trial measured by itself. */
    load(load: Forms['ofCase']): number;
  };
  /** `4 threads, 10 s` */
  loadText(load: Forms['ofCase']): string;
  /** Prints the version, and how to read it there; null where the text holds none. */
  versionArguments: string[];
  versionOf(text: string): string | null;
  invocation(request: InvocationRequest): Invocation;
  /** What one execution reported, from the machine-readable file where there is one, else from its text. */
  outcome(output: GeneratorOutput): GeneratorOutcome<Name>;
  /** Where one execution can serve both sides of a duet; else there are two. */
  duet?: GeneratorDuet<Name>;
  /** Lines that show whose a text is, be it cut off or broken off. No whole output of another generator has one. */
  signature: RegExp;
  /** The generator's own text output, as `wrkbench parse` reads it. Throws `UnreadableOutput`, and nothing else. */
  parse(text: string): GeneratorOutcome<Name>;
}

/** How its program comes onto a machine. */
export interface GeneratorProgram {
  /** The oldest version that will do. */
  leastVersion: string;
  /** Name of the package by package manager; absent where a manager has none. */
  packages: Partial<Record<'apt-get' | 'dnf' | 'apk' | 'brew', string>>;
  /** For a system without such a package; null where nothing helps. `asRoot` is put before what root alone may do. */
  fallback(asRoot: (command: string) => string): string | null;
  /** For a person, as in `Install it with …`. */
  advice: string;
  /** What is downloaded or built where there is none and no package; null where only sources are released. */
  release: ProgramRelease | null;
}

export interface ProgramRelease {
  version: string;
  /** By `PLATFORM-ARCHITECTURE` of Node.js. */
  archives: Record<string, ReleaseArchive>;
  /** For `go install`; null for what is not written in Go. */
  goModule: string | null;
}

/** An archive of a release: its address, its checksum, and where the program lies in it. */
export interface ReleaseArchive {
  url: string;
  sha256: string;
  program: string;
}

/** One execution for the two variants of one case: each with its own request, both under the same load. */
export interface GeneratorDuet<Name extends string> {
  /** Both have the same `directory` and `cpuCount`. */
  invocation(requests: readonly [InvocationRequest, InvocationRequest]): Invocation;
  /** In the order of the requests. Throws as `outcome` does. */
  outcomes(output: GeneratorOutput): [GeneratorOutcome<Name>, GeneratorOutcome<Name>];
}

/** HTTP/1.1, or HTTP/2 that both sides begin with (prior knowledge), without TLS: https://www.rfc-editor.org/rfc/rfc9113#section-3.3 */
export type Protocol = 'h1' | 'h2';

/** What a generator has to know of a case. */
export interface InvokedCase {
  key: string;
  service: { basePath: string; protocol: Protocol };
  /** With a set, all of what is sent stands in that. */
  endpoint: InvokedRequest & { requestSet?: RequestSet };
  keepAlive: boolean;
  connections: number;
  load: LoadOfCase;
}

export interface InvocationRequest {
  case: InvokedCase;
  /** `http://172.18.0.3:8080`, without a slash at the end. */
  origin: string;
  /** Replaces the case's own, for a warm-up window; seconds, and tenths of them for wrk and k6. */
  durationSeconds: number;
  /** Requests per second for an open model; null for a closed loop. */
  rate: number | null;
  /** CPUs that the generator is confined to; null where it may use all. */
  cpuCount: number | null;
  /** Folder that the invocation's files are written to and its results are read from, absolute. */
  directory: string;
  /** Path of the user's own script, relative to the folder of the spec, where that names one. */
  script: string | null;
}

/** A command that has not been started: program, arguments, files it wants beside it. */
export interface Invocation {
  program: string;
  arguments: string[];
  /** Name in `directory` → content, written before the start. */
  files: Record<string, string>;
  /** The same of what is no text. */
  binaryFiles?: Record<string, Uint8Array>;
  /** Folders of `directory` that hold nothing of ours: the user's script and what goes with it is copied to each, under its own paths. */
  scriptFolders?: string[];
  /** Where in `directory` it is started; by default there. */
  startFolder?: string;
  /** Names in `directory` that the generator leaves behind and `outcome` wants. */
  results: string[];
  /** A further one that may be too large to keep: `outcome` has it, and nobody afterwards. */
  largeResult?: { name: string; mostBytes: number };
  /** Added to the allowlisted environment. */
  env: Record<string, string>;
  /** After this the generator is killed: its own duration and a margin. It has as long to get ready. */
  timeoutSeconds: number;
  /** What it most likely means that this generator had to be killed; a sentence, absent where nobody knows. */
  killedHint?: string;
  /**
   * What it prints first on standard output, when it is ready to load. Its load then begins with the first line on its
   * standard input. Absent where the load begins with the process.
   */
  readyLine?: string;
  /**
   * What it prints last on standard output, when its load has ended. It then keeps its connections open until its standard
   * input ends. Only with `readyLine`; absent where it closes them at the end of its load.
   */
  endedLine?: string;
  /** After so much load it is interrupted (SIGINT), and comes to its end; absent where it ends by itself. */
  interruptAfterSeconds?: number;
}

export interface GeneratorOutput {
  stdout: string;
  stderr: string;
  exitCode: number | null;
  /** Content of `results` and of `largeResult`, where they were left. */
  files: Record<string, string>;
}

/** The text is not an output of this generator; the message says what was looked for and what stood there. */
export class UnreadableOutput extends UserError {
  override name = 'UnreadableOutput';
}
