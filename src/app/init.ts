import { SpecError } from '../core/config/diagnostics.ts';
import { readSpec } from '../core/config/read.ts';
import {
  type Answers,
  type LeftOut,
  proposal,
  type Question,
  type RepositoryFile,
  type SpecDraft,
} from '../core/detection/proposal.ts';
import { leftOutShown } from '../core/detection/spec-text.ts';
import { counted } from '../core/format/figures.ts';
import { shellWord } from '../core/format/shell-word.ts';
import { budgetSecondsOf } from '../core/plan/budget.ts';
import { durationText } from '../core/plan/duration-text.ts';
import { planOf } from '../core/plan/plan.ts';
import { pullRequestSeconds } from '../core/plan/pull-request-time.ts';
import { isSecretVariable } from '../core/record/secret-names.ts';
import type { RepositoryFacts } from './repository-facts.ts';

export { isTelling, isTellingFolder, NothingFound } from '../core/detection/proposal.ts';

const all = new Intl.ListFormat('en-GB', { type: 'conjunction' });

/** Where GitHub looks for workflows. */
const WORKFLOWS = '.github/workflows';

/** A workflow to start with, as `workflows/` has it. */
export interface Starter {
  /** Of its file. */
  name: string;
  /** With `branches: [main]`, where it has branches. */
  text: string;
  /** What it does, for a person. */
  what: string;
}

export interface InitRequest {
  files: readonly RepositoryFile[];
  folderName: string;
  answers: Answers;
  /** Those that are not there yet. */
  starters: readonly Starter[];
  /** Whether another one is. */
  isWorkflowThere: boolean;
  /** The default branch; null where it is not known. */
  branch: string | null;
  /** What the walk of the repository has passed over. */
  passedOver: readonly LeftOut[];
  /** What else is known of it. */
  facts?: RepositoryFacts;
}

export interface Initial {
  /** To be written, none of them there yet: the specs first. */
  specs: SpecDraft[];
  workflows: RepositoryFile[];
  questions: Question[];
  /** What the walk of the repository has passed over; what else is left out, each spec has. */
  passedOver: readonly LeftOut[];
  starters: readonly Starter[];
  /** Whether there is one, or one is to be written. */
  hasWorkflow: boolean;
}

/** `init`: the files to write. Throws `AlreadyThere` and `NothingFound`; nothing is overwritten. */
export function initialFiles(request: InitRequest): Initial {
  const { files, folderName, answers, starters, isWorkflowThere, branch, passedOver, facts } = request;
  const { specs, questions } = proposal(files, { folderName, isSecret: isSecretVariable, ...facts }, answers);
  const glob = specs.length === 1 ? null : 'wrkbench.*.yml';
  return {
    specs,
    workflows: starters.map(({ name, text }) => ({
      path: `${WORKFLOWS}/${name}`,
      content: adapted(text, branch, glob),
    })),
    questions,
    passedOver,
    starters,
    hasWorkflow: isWorkflowThere || starters.length > 0,
  };
}

/** Asks until nothing is open: an answer may open another question. `ask` is null where there is nobody to ask. */
export async function withAnswers(
  proposed: (answers: Answers) => Initial,
  ask: ((question: Question) => Promise<string>) | null,
): Promise<Initial> {
  let answers: Answers = {};
  let initial = proposed(answers);
  if (ask === null) return initial;
  const next = () => initial.questions.find(({ key }) => !Object.hasOwn(answers, key));
  for (let open = next(); open !== undefined; open = next()) {
    answers = { ...answers, [open.key]: await ask(open) };
    initial = proposed(answers);
  }
  return initial;
}

/** What was written, or would be, with all that was left out; `tried` says first what starting it has shown. */
export function initText(
  { specs, passedOver, starters, hasWorkflow }: Initial,
  isWritten: boolean,
  tried: readonly string[] = [],
): string {
  const verb = isWritten ? 'is written' : 'would be written';
  // Several specs have left out the same of the repository.
  const leftOut = new Map(
    specs.flatMap(({ parts }) => parts.leftOut).map((each) => [`${each.what}\n${each.why}`, each]),
  );
  const left = leftOutShown(
    [...leftOut.values(), ...passedOver],
    specs.flatMap(({ parts }) => parts.found.leftOut),
  );
  const lines = [
    ...tried,
    ...specs.flatMap((spec) => [`${spec.path} ${verb}: ${contents(spec)}.`, ...pullRequestTime(spec)]),
    ...starters.map(({ name, what }) => `${WORKFLOWS}/${name} ${verb}: ${what}.`),
    ...(hasWorkflow ? missingImages(specs) : []),
    ...(left.length === 0 ? [] : ['Left out:', ...left.map(({ what, why }) => `  ${what}: ${why}.`)]),
    `Read ${specs.length === 1 ? 'it' : 'them'}, then: ${specs.map(nextCommand).join(' && ')}`,
  ];
  return `${lines.join('\n')}\n`;
}

function nextCommand({ path, parts }: SpecDraft): string {
  return `wrkbench ${parts.trial.isGood ? 'plan' : 'validate'}${path === 'wrkbench.yml' ? '' : ` ${shellWord(path)}`}`;
}

/** The sentence about services that no workflow can start, since it runs containers only; none where each has an image. */
function missingImages(specs: readonly RepositoryFile[]): string[] {
  const services = specs.flatMap(({ path, content }) => readSpec(content, path).services);
  const names = services.filter(({ image }) => image === null).map(({ name }) => name);
  if (names.length === 0) return [];
  return [`The workflow needs a container: add a Dockerfile for ${all.format(names)}, or it fails.`];
}

/** What a spec comes to, in a few words. */
function contents({ path, content }: RepositoryFile): string {
  const { services, endpoints, database } = readSpec(content, path);
  const names = services.map(({ name, port }) => `${name} on port ${port}`).join(', ');
  return `${names}, ${counted(endpoints.length, 'endpoint')}${database === null ? '' : `, ${database.image}`}`;
}

/** How long a pull request waits, by what was seen where it was tried; nothing where the spec cannot be planned as it is. */
function pullRequestTime({ path, content, parts: { trial } }: SpecDraft): string[] {
  try {
    const spec = readSpec(content, path);
    const plan = planOf(spec, { seed: 0 });
    const seconds = trial.load?.waitSeconds ?? pullRequestSeconds(spec, plan, budgetSecondsOf(spec, plan));
    return [`  A pull request waits about ${durationText(seconds)} in all, without building images.`];
  } catch (error) {
    if (!(error instanceof SpecError)) throw error;
    return [];
  }
}

/** A starter, for a repository whose default branch has a name of its own, or that has several specs. */
function adapted(text: string, branch: string | null, glob: string | null): string {
  const ofBranch = branch === null ? text : text.replace(/^( +branches: )\[main\]$/m, `$1[${JSON.stringify(branch)}]`);
  if (glob === null) return ofBranch;
  // After a release its version is beside the commit, as a comment.
  return ofBranch.replace(/^( +)(uses: \S+\/benchmark\.yml@.+)$/m, `$1$2\n$1with:\n$1  spec: ${JSON.stringify(glob)}`);
}
