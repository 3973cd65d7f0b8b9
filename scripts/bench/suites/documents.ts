/** Which case of a suite a column of its document's table is about; absent parts fit any. */
export interface DocumentColumn {
  /** As the table of the suite's README has it. */
  title: string;
  endpoint?: string;
  keepAlive?: boolean;
  connections?: number;
}

export interface SuiteDocument {
  suite: string;
  /** The service that the others are held against. */
  against: string;
  columns: readonly DocumentColumn[];
  /** Services that can be built here, and are to be measured. */
  leastValid: number;
}

const ping = { endpoint: 'ping' };
const dbPing = { endpoint: 'db-ping' };

/** Requests per second as the READMEs quote them; direct, and never through the gateway. */
export const DOCUMENTS: readonly SuiteDocument[] = [
  {
    suite: 'users-1000',
    against: 'go',
    columns: [{ title: 'requests per second there' }],
    leastValid: 6,
  },
  {
    suite: 'hardware-tax',
    against: 'go',
    columns: [{ title: 'requests per second there' }],
    leastValid: 4,
  },
  {
    suite: 'event-pong',
    against: 'go-fasthttp',
    columns: [
      { title: '2 connections there', connections: 2 },
      { title: '400', connections: 400 },
      { title: '20,000', connections: 20_000 },
    ],
    leastValid: 3,
  },
  {
    suite: 'abstract-rest',
    against: 'node',
    columns: [{ title: 'requests per second there' }],
    leastValid: 10,
  },
  {
    suite: 'apostol-rest',
    against: 'go',
    columns: [
      { title: 'ping, keep-alive, 100 there', ...ping, keepAlive: true, connections: 100 },
      { title: '1000', ...ping, keepAlive: true, connections: 1000 },
      { title: 'keep-alive off, 100', ...ping, keepAlive: false, connections: 100 },
      { title: '1000', ...ping, keepAlive: false, connections: 1000 },
      { title: 'db/ping, keep-alive, 100', ...dbPing, keepAlive: true, connections: 100 },
      { title: 'off, 100', ...dbPing, keepAlive: false, connections: 100 },
    ],
    leastValid: 4,
  },
];
