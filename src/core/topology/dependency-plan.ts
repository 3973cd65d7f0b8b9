import type { Dependency } from '../config/dependency.ts';
import { type PlaceholderValues, substitute } from '../config/placeholders.ts';
import { memoryLimitOf } from './memory-limit.ts';
import type { PartPlan } from './part-plan.ts';
import type { NotReadyFailure, PartReadiness } from './part-readiness.ts';
import { dependencyPart, partTitle } from './parts.ts';
import { speaksRedis } from './redis.ts';
import { filledIn, type ProgramWish } from './service-plan.ts';

/** As many as a database has: none of the usual ones needs more. */
const OPEN_FILES = 65_536;

/** A dependency as its image or its command has it, on the CPUs of the database. */
export function dependencyPlan(
  dependency: Dependency,
  { image, placement, placeholders, directory, files, machine }: ProgramWish,
): PartPlan {
  const valuesAt = (port: number | null, folder: string): PlaceholderValues => ({
    ...placeholders,
    ...(port === null ? {} : { port: String(port) }),
    folder,
  });
  const asked = dependency.ready.kind === 'command' ? dependency.ready.command : [];
  const askedBy = (values: PlaceholderValues) => asked.map((word) => substitute(word, values));
  return {
    part: dependencyPart(dependency.name),
    title: partTitle(dependencyPart(dependency.name)),
    isTool: false,
    image,
    programAt({ listen, writableFolder }) {
      const values = valuesAt(listen?.port ?? dependency.port, writableFolder);
      // What cannot be filled in there is told before anything is started.
      askedBy(values);
      return { ...filledIn(dependency, values), files };
    },
    user: dependency.user ?? null,
    directory,
    cpus: placement.database,
    cpuQuota: null,
    memoryBytes: memoryLimitOf(dependency, machine.memoryBytes),
    openFiles: OPEN_FILES,
    volumes: dependency.volumes ?? [],
    port: dependency.port,
    ready: readinessOf(dependency, (port) => askedBy(valuesAt(port, ''))),
    ending: { signal: 'SIGTERM', graceSeconds: 3 },
  };
}

function readinessOf(dependency: Dependency, commandAt: (port: number | null) => readonly string[]): PartReadiness {
  const { name, port, ready } = dependency;
  const { timeoutSeconds } = ready;
  const more = `Look at its log, or raise ready.timeout of dependencies.${name} in the spec.`;
  const failed = (message: string): NotReadyFailure => ({ code: 'dependency-failed', message: `${message} ${more}` });
  if (ready.kind === 'running') return { kind: 'running' };
  if (ready.kind === 'command') {
    const words = ready.command.join(' ');
    return {
      kind: 'command',
      commandAt,
      timeoutSeconds,
      failure: (said) =>
        failed(
          `The dependency ${name} was asked by \`${words}\` for ${timeoutSeconds} s, which never ended with status 0${said === '' ? '' : ` (${said})`}.`,
        ),
    };
  }
  const path = ready.kind === 'path' ? ready.path : null;
  return {
    kind: 'answer',
    asked: path === null ? null : { method: 'GET', path, headers: {}, body: null, endpoint: null, expected: 'good' },
    protocol: 'h1',
    ...(path === null && speaksRedis(dependency) ? { isRedis: true } : {}),
    timeoutSeconds,
    failure(outcome, origin, refused) {
      const asked =
        path === null
          ? `The dependency ${name} was to open its port ${port} within ${timeoutSeconds} s`
          : `The dependency ${name} was asked for ${origin}${path} for ${timeoutSeconds} s`;
      switch (outcome.kind) {
        case 'answered':
          return failed(`${asked} and answers with status ${outcome.status}.`);
        case 'failed':
          return failed(`${asked} and gives no answer: ${outcome.message}.`);
        case 'refused':
          return { code: 'dependency-failed', message: `${asked}, but ${refused('the dependency')}.` };
        case 'ended':
          return { code: 'dependency-failed', message: `The dependency ${name} exited before it was ready.` };
      }
    },
  };
}

/** The host names under which others find a dependency in containers. */
export function hostNamesOf({ name, alias = [] }: Pick<Dependency, 'name' | 'alias'>): string[] {
  return [...new Set([name, ...alias])];
}
