import { acceptanceOf } from '../comparison/acceptance.ts';
import type { Acceptance } from '../comparison/comparison.ts';
import { nearest } from '../config/nearest.ts';
import type { FailOn } from '../posting/verdict.ts';
import { isBranchName } from '../publication/branch-name.ts';
import type { RegistryLogin } from '../topology/docker-logins.ts';
import { UserError } from '../user-error.ts';

/** What a step of a workflow asks for, read from texts: GitHub hands every input over as one. */
export interface ActionInputs {
  task: Task;
  /** Paths of specs relative to the workspace, or globs; at least one. */
  specs: string[];
  only: string | null;
  quick: boolean;
  /** Globs of the files that matter; none where all do. */
  paths: string[];
  /** Null for what each spec says. */
  baseline: string | null;
  seed: number | null;
  runtime: 'docker' | 'process';
  accepted: Acceptance[];
  fail: FailOn;
  comment: 'always' | 'change' | 'regression' | 'never';
  status: boolean;
  check: boolean;
  publish: boolean;
  branch: string;
  retention: { count: number | null; days: number | null };
  squash: boolean;
  /** Folder that runs are left in, relative to the workspace. */
  out: string;
  upload: boolean;
  /** Number of parts that `plan` makes; null for one of its own choice. */
  shards: number;
  shard: { index: number; count: number } | null;
  /** Workflow run that `report` tells of; null for that of the event, or this one. */
  run: number | null;
  /** Paths of workflows, of whose last run `report` tells for an event that names none (a label). */
  workflows: string[];
  /** Variables of the step that specs may name as `${env.NAME}`. */
  secrets: string[];
  /** What private images are pulled by; a line whose secret GitHub has not handed over is left out. */
  registries: RegistryLogin[];
  token: string;
}

/**
 * `run`: measure, compare, and tell. `plan`: only say how cases are shared out over machines. `merge`: put what they
 * measured together. `report`: tell of what another job, or another workflow, measured.
 */
type Task = (typeof TASKS)[number];
const TASKS = ['run', 'plan', 'merge', 'report'] as const;

/** An input that cannot be. */
export class WrongInput extends UserError {
  override name = 'WrongInput';
}

/** `given`: an input's text by its name; '' where it was left out. Throws `WrongInput`. */
export function actionInputs(given: (name: string) => string): ActionInputs {
  const text = (name: string) => given(name).trim();
  const orNull = (name: string) => (text(name) === '' ? null : text(name));
  const lines = (name: string) =>
    given(name)
      .split(/\r?\n/)
      .map((line) => line.trim())
      .filter((line) => line !== '');
  const specs = lines('spec');
  return {
    task: oneOf('task', text('task') || 'run', TASKS),
    specs: specs.length === 0 ? ['wrkbench.yml'] : specs.map((path) => insidePath('spec', path)),
    only: orNull('only'),
    quick: yesOrNo('quick', text('quick'), false),
    paths: lines('paths'),
    baseline: orNull('baseline'),
    seed: wholeNumber('seed', text('seed'), 0, 0xffff_ffff),
    runtime: oneOf('runtime', text('runtime') || 'docker', ['docker', 'process'] as const),
    accepted: lines('accept').map(acceptanceOf),
    fail: oneOf('fail', text('fail') || 'regression', ['regression', 'inconclusive', 'never'] as const),
    comment: oneOf('comment', text('comment') || 'change', ['always', 'change', 'regression', 'never'] as const),
    status: yesOrNo('status', text('status'), true),
    check: yesOrNo('check', text('check'), false),
    publish: yesOrNo('publish', text('publish'), true),
    branch: branchName(text('branch') || 'gh-pages'),
    retention: {
      count: wholeNumber('keep', text('keep'), 1, 1_000_000),
      days: wholeNumber('keep-days', text('keep-days'), 1, 36_500),
    },
    squash: yesOrNo('squash', text('squash'), false),
    out: insidePath('out', text('out') || 'wrkbench-results'),
    upload: yesOrNo('upload', text('upload'), true),
    shards: wholeNumber('shards', text('shards'), 1, 64) ?? 1,
    shard: shardOf(text('shard')),
    run: wholeNumber('run', text('run'), 1, Number.MAX_SAFE_INTEGER),
    workflows: lines('workflow'),
    secrets: lines('secrets').map(secretName),
    registries: lines('registries').flatMap(registryLogin),
    token: text('token'),
  };
}

function oneOf<T extends string>(name: string, value: string, words: readonly T[]): T {
  if ((words as readonly string[]).includes(value)) return value as T;
  const near = nearest(value, words);
  throw wrong(name, value, `one of ${words.join(', ')}`, near === null ? '' : ` Did you mean ${near}?`);
}

/** The words of YAML 1.2's core schema, which `@actions/core` takes as well. */
function yesOrNo(name: string, value: string, fallback: boolean): boolean {
  if (value === '') return fallback;
  if (/^(?:true|True|TRUE)$/.test(value)) return true;
  if (/^(?:false|False|FALSE)$/.test(value)) return false;
  throw wrong(name, value, 'true or false');
}

function wholeNumber(name: string, value: string, least: number, most: number): number | null {
  if (value === '') return null;
  const number = Number(value);
  if (/^\d+$/.test(value) && number >= least && number <= most) return number;
  throw wrong(name, value, `a whole number from ${least} to ${most}`);
}

/** `2/4` */
function shardOf(value: string): ActionInputs['shard'] {
  if (value === '') return null;
  const [, index, count] = /^([1-9]\d?)\/([1-9]\d?)$/.exec(value) ?? [];
  if (index === undefined || Number(index) > Number(count)) throw wrong('shard', value, 'a part of all such as 2/4');
  return { index: Number(index), count: Number(count) };
}

function insidePath(name: string, path: string): string {
  if (/^(?![-/])(?!(?:.*\/)?\.\.(?:\/|$))[^\\\p{Cc}]{1,1024}$/u.test(path)) return path;
  throw wrong(name, path, 'a path inside the checkout, relative to it, without ..');
}

function branchName(value: string): string {
  if (isBranchName(value)) return value;
  throw wrong('branch', value, 'the name of a branch such as gh-pages');
}

/** What the runner sets is nothing that a spec may have: its token is among it. */
const OF_RUNNER = /^(?:GITHUB|GH|ACTIONS|RUNNER|INPUT|WRKBENCH|NODE)_|^(?:PATH|HOME|CI)$/i;

function secretName(value: string): string {
  const expected = 'names of variables, one per line, such as API_KEY';
  if (!/^[A-Za-z_][A-Za-z0-9_]{0,254}$/.test(value)) throw wrong('secrets', value.replace(/=.*/s, '=…'), expected);
  if (OF_RUNNER.test(value))
    throw wrong('secrets', value, `${expected}; this one is the runner's own, and no spec gets it`);
  return value;
}

/** `ghcr.io acme-bot PASSWORD`. A line that is wrong is not shown: it may hold the password. */
function registryLogin(line: string): RegistryLogin[] {
  const match = /^((?:[a-z0-9-]+\.)*[a-z0-9-]+(?::\d{1,5})?)\s+(\S+)(?:\s+(.+))?$/i.exec(line);
  if (match === null) {
    const expected =
      'a host, a user name and a password per line, such as `ghcr.io acme-bot ${{ secrets.PACKAGES_TOKEN }}`';
    throw wrong('registries', '…', expected);
  }
  const [, registry = '', username = '', password] = match;
  return password === undefined ? [] : [{ registry, username, password }];
}

function wrong(name: string, value: string, expected: string, more = ''): WrongInput {
  const shown = value.replaceAll(/\p{Cc}/gu, '?').slice(0, 80);
  return new WrongInput(`The input ${name} is \`${shown}\`: expected ${expected}.${more}`);
}
