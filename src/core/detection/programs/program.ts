import type { LeftOut, RepositoryFile } from '../files.ts';
import type { Route } from '../routes/route.ts';

/** What most servers listen on that say nothing. */
export const USUAL_PORT = 8080;

/** Something that the code of a folder starts. */
export interface Program {
  folder: string;
  /** What it calls itself. */
  name: string | null;
  /** File that shows it. */
  from: string;
  /** Those of its folder that belong to no program below it. */
  files: RepositoryFile[];
  routes: Route[];
  /** Put before every route by its settings. */
  basePath: Known<string> | null;
  /** Its framework reads variables that its own code does not name. */
  readsEveryVariable: boolean;
  start: Start | null;
  port: Known<number> | null;
  /** Where it listens that is told nothing. */
  usualPort: number;
  /** Variables by which it takes its port. */
  portVariables: Record<string, string>;
  /** None of its files listens: the program of a framework does, or a script without an extension. */
  listensUnseen: boolean;
  /** Manifest that names a Postgres client. */
  client: string | null;
  /** As its client wants it: `postgres://`, `postgresql+asyncpg://`, `jdbc:postgresql://`. */
  scheme: string;
  /** Variables by which it is told of its database where no file shows a value. */
  databaseVariables: Record<string, string>;
  /** Variables that its settings make it want. */
  variables: { name: string; value: string; from: string }[];
  /** What its settings say and its spec does not follow from. */
  remarks: LeftOut[];
}

export interface Known<T> {
  value: T;
  from: string;
}

export interface Start {
  command: string[];
  from: string;
  /** What has to be run before, where something has. */
  before: string | null;
  /** Compiles at the first start, which may take longer than a server needs to be up. */
  isSlow: boolean;
  /** What does that before. */
  build?: string[];
}

/** What a language or its tools tell of a program. */
export interface ProgramReader {
  manifest: RegExp;
  /** Null where the folder holds no server. */
  read(manifest: RepositoryFile, files: readonly RepositoryFile[]): ProgramSign | null;
}

export type ProgramSign = Pick<Program, 'name' | 'start' | 'port' | 'portVariables'> & {
  client: boolean;
  usualPort?: number;
  listensUnseen?: boolean;
  scheme?: string;
  databaseVariables?: Record<string, string>;
  basePath?: Known<string> | null;
  readsEveryVariable?: boolean;
  routes?: Route[];
  remarks?: LeftOut[];
  variables?: Program['variables'];
};

/** Of databases, caches and brokers, whose clients stand in the same code. */
const OF_OTHERS = new Set([5432, 3306, 1433, 27_017, 6379, 5672, 9092, 11_211, 9200, 4317, 4318, 1025, 587]);

/** The first match of one of these patterns in the files, as a port. */
export function portIn(files: readonly RepositoryFile[], patterns: readonly RegExp[]): Known<number> | null {
  for (const pattern of patterns) {
    for (const { path, content } of files) {
      const value = Number(pattern.exec(content)?.[1]?.replaceAll('_', ''));
      if (Number.isInteger(value) && value >= 1 && value <= 65_535 && !OF_OTHERS.has(value))
        return { value, from: path };
    }
  }
  return null;
}
