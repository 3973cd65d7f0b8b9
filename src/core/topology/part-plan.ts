import type { PartReadiness } from './part-readiness.ts';
import type { TestbedPart } from './parts.ts';

/**
 * A part of a testbed, whichever runtime realises it: as a container of an image, or as a process of this machine. What differs
 * between them is where it stands (`PartPlace`), which is known only when it is started.
 */
export interface PartPlan {
  part: TestbedPart;
  /** What it is called in sentences of a process: `Service api`, `The pooler (PgBouncer)`. */
  title: string;
  /**
   * A program that wrkbench brings, with a configuration of its own: it needs no rights and no folder of the project. Else one of
   * the spec, which runs as its image or the caller says, in `directory`.
   */
  isTool: boolean;
  /** Id or reference of the container's image; null where there is none. */
  image: string | null;
  /** Throws `PlaceholderError` where a text of the spec cannot be filled in. */
  programAt(place: PartPlace): PartProgram;
  /** `name`, `uid` or `uid:gid` in a container; null leaves the image's own. */
  user: string | null;
  /** Where a process begins, absolute; null for a folder of its own. */
  directory: string | null;
  cpus: string;
  /** CPUs' worth of time; null for all of `cpus`. */
  cpuQuota: number | null;
  memoryBytes: number | null;
  /** Soft and hard; null as the engine or the caller has it. */
  openFiles: number | null;
  /** Folders in a container, absolute, that are empty and in memory. */
  volumes: readonly string[];
  /** Port in a container; a process may be given another one. Null for a part that listens on none. */
  port: number | null;
  ready: PartReadiness;
  /** What asks a process to end, and how long it may take. A container is killed. */
  ending: { signal: 'SIGTERM' | 'SIGQUIT'; graceSeconds: number };
}

/** Where a runtime puts a part. */
export interface PartPlace {
  /**
   * Where a process listens: address, port, and what it has for the further ports of the spec, by their names. Null in a container,
   * which has all addresses and ports to itself.
   */
  listen: { address: string; port: number; ports?: Readonly<Record<string, number>> } | null;
  /** Where its configuration is put, absolute and as the part sees it. */
  configurationFolder: string;
  /** Which it may write to, the same. */
  writableFolder: string;
  /** Limit of open files that it gets. */
  openFiles: number | null;
}

export interface PartProgram {
  /** Replaces the entrypoint of its image, empty for none; null leaves it. First words of a process. */
  entrypoint: readonly string[] | null;
  /** In a container it replaces the image's command; empty leaves it. */
  command: readonly string[];
  env: Record<string, string>;
  /** Path, absolute and as the part sees it → content; everybody may read it. */
  files: Record<string, string | Uint8Array>;
}
