import { readdirSync, readFileSync } from 'node:fs';
import { parse } from 'yaml';

/** Workflows and starters as GitHub reads them. */

export interface Job {
  uses?: string;
  if?: string;
  needs?: string | string[];
  'timeout-minutes'?: unknown;
  permissions?: Record<string, string>;
  outputs?: Record<string, string>;
  with?: Record<string, unknown>;
  steps?: { uses?: string; run?: string; with?: Record<string, unknown> }[];
}
export interface Workflow {
  on: Record<
    string,
    {
      types?: string[];
      inputs?: Record<string, { default?: unknown }>;
      outputs?: Record<string, { value: string }>;
    } | null
  >;
  permissions?: unknown;
  concurrency?: { group: string; 'cancel-in-progress'?: string | boolean };
  jobs: Record<string, Job>;
}

const FOLDERS = ['.github/workflows', 'workflows'];
export const workflows: ReadonlyMap<string, Workflow> = new Map<string, Workflow>(
  FOLDERS.flatMap((folder) =>
    readdirSync(folder).map(
      (name) => [`${folder}/${name}`, parse(readFileSync(`${folder}/${name}`, 'utf8')) as Workflow] as const,
    ),
  ),
);
export const all: [string, Workflow][] = [...workflows];
export const starters = all.filter(([path]) => path.startsWith('workflows/'));

export const jobsOf = ({ jobs }: Workflow) => Object.entries(jobs);
export const stepsOf = (workflow: Workflow) => jobsOf(workflow).flatMap(([, job]) => job.steps ?? []);
export const isReusable = ({ on }: Workflow) => Object.hasOwn(on, 'workflow_call');

/** The action, as workflows of this repository name it: at their own commit. */
export const OWN_ACTION = '$/.';
/** A workflow of this repository, as another one names it at its own commit, and as callers elsewhere do. */
const OWN_WORKFLOW = /^(?:\$|wrkbench\/wrkbench)\/(\.github\/workflows\/[^@]+)/;

/** The workflow of this repository that a job calls, with its path. */
export function calleeOf({ uses }: Job): [string, Workflow] | null {
  const path = OWN_WORKFLOW.exec(uses ?? '')?.[1];
  return path === undefined ? null : [path, workflows.get(path)!];
}
