/**
 * What was seen of a service from outside, while the load of one case warmed it up. A figure that is absent could not be
 * seen, and `unseen` says why.
 */
export interface ServiceObservation extends ObservedProcesses, ObservedAnswer {
  /** Key of the case in whose warm-up it was seen. */
  caseKey: string;
  connections: number;
  /** Open connections of the service's own role; through a pooler those of the pooler. */
  databaseConnections?: number;
}

/** What the kernel shows of its processes and sockets. */
export interface ObservedProcesses {
  /** Sockets that listen on its port: several where its processes share the port. */
  listeners?: number;
  /** How many connections wait to be accepted at most; of several sockets the least. */
  backlog?: number;
  processes?: number;
  threads?: number;
  /** That any of its processes may run on, in the kernel's notation. */
  cpus?: string;
  /** Where its standard output and error lead, of all its processes. */
  outputs?: OutputKind[];
  /** Written there while it was looked at. */
  outputBytesPerSecond?: number;
  /** Sentences. */
  unseen: string[];
}

export const OUTPUT_KINDS = ['pipe', 'file', 'terminal', 'socket', 'nowhere'] as const;
export type OutputKind = (typeof OUTPUT_KINDS)[number];

/** What one answer says without load. */
export interface ObservedAnswer {
  /** Status line and headers on the wire, and the lengths of chunks where it is sent in chunks. */
  headerBytes?: number;
  /** In lower case and alphabetical order. */
  headers?: string[];
  /** The answer does not ask for the connection to be closed. */
  keepsConnection?: boolean;
  /** `content-encoding`; absent where there is none. */
  encoding?: string;
}
