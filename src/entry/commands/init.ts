import { access } from 'node:fs/promises';
import path from 'node:path';
import starterGate from 'wrkbench:starter/gate.yml';
import starterMeasure from 'wrkbench:starter/measure.yml';
import starterReport from 'wrkbench:starter/report.yml';
import { composeReader } from '../../adapters/docker/compose-config.ts';
import { walkRepository } from '../../adapters/files/repository-walk.ts';
import { checkoutPaths } from '../../adapters/git/checkout-paths.ts';
import { defaultBranchOf } from '../../adapters/git/remote.ts';
import { writeNewProjectFile } from '../../adapters/project/new-project-file.ts';
import { UsageError } from '../../app/failures.ts';
import {
  type Initial,
  initialFiles,
  initText,
  isTelling,
  isTellingFolder,
  NothingFound,
  type Starter,
  withAnswers,
} from '../../app/init.ts';
import { repositoryFacts } from '../../app/repository-facts.ts';
import type { TriedSpec } from '../../app/run/attempt.ts';
import { untriedSpec } from '../../app/run/try-spec.ts';
import type { Answers } from '../../core/detection/proposal.ts';
import { ONLY_READ } from '../../core/detection/spec-text.ts';
import type { WantedRuntime } from '../../core/doctor/runtime.ts';
import { EXIT, failureOf } from '../failure.ts';
import { interruptible } from '../interruption.ts';
import { print, printError } from '../output.ts';
import { PromptInterrupted, promptOn } from '../prompt.ts';
import { triedSpecs } from './init-try.ts';

export interface InitOptions {
  yes?: boolean;
  dryRun?: boolean;
  forks?: boolean;
  /** Absent where neither word was said. */
  try?: boolean;
  runtime: WantedRuntime;
}

/** One file for a repository of its own branches, two where forks send pull requests. */
const ONE_FILE: Starter[] = [
  { name: 'benchmark.yml', text: starterGate, what: "it gates pull requests of the repository's own branches" },
];
const FOR_FORKS: Starter[] = [
  {
    name: 'measure.yml',
    text: starterMeasure,
    what: 'it measures pull requests, those of forks too, and may write nothing',
  },
  {
    name: 'report.yml',
    text: starterReport,
    what: 'it reports what measure.yml has measured, as the default branch has it',
  },
];

/** Never rejects: this is a bundle of its own, whose errors the command would not know for what they are. */
export async function initCommand(directory: string, options: InitOptions): Promise<number> {
  try {
    return await written(directory, options);
  } catch (error) {
    const { text, exitCode } = failureOf(error);
    printError(`${text}\n`);
    return exitCode;
  }
}

async function written(directory: string, options: InitOptions): Promise<number> {
  const folder = path.resolve(directory);
  const { files, passedOver } = await walkRepository(folder, { isTelling, isTellingFolder }).catch(() => {
    throw new UsageError(`${directory} is not a folder that can be read. Name the folder of your repository.`);
  });
  const facts = await repositoryFacts(files, await checkoutPaths(folder), composeReader(folder));
  const wanted = options.forks === true ? FOR_FORKS : ONE_FILE;
  const starters = await missing(folder, wanted);
  const isWorkflowThere = starters.length < wanted.length;
  const branch = await defaultBranchOf(folder);
  const folderName = path.basename(folder);
  const proposed = (answers: Answers) =>
    initialFiles({ files, folderName, answers, starters, isWorkflowThere, branch, passedOver, facts });
  try {
    const initial = await initialOf(proposed, options);
    const why = whyUntried(options);
    if (why !== null)
      return await finished(
        folder,
        initial,
        initial.specs.map((draft) => untriedSpec(draft, why)),
        options,
      );
    return await interruptible(async (signal) => {
      const tried = await triedSpecs(folder, initial.specs, options.runtime, signal);
      return await finished(folder, initial, tried, options);
    }, 'Nothing is written.');
  } catch (error) {
    if (!(error instanceof NothingFound || error instanceof PromptInterrupted)) throw error;
    printError(`${error.message}\n`);
    return error instanceof NothingFound ? EXIT.gateFailed : EXIT.interrupted;
  }
}

/** Null where what is proposed is tried. */
function whyUntried({ try: wanted, dryRun }: InitOptions): string | null {
  if (wanted === false || (wanted === undefined && dryRun === true)) return ONLY_READ;
  return null;
}

/** Writes what came of trying, or prints it. */
async function finished(
  folder: string,
  proposed: Initial,
  tried: readonly TriedSpec[],
  { dryRun, try: wanted }: InitOptions,
): Promise<number> {
  const initial = { ...proposed, specs: tried.map(({ draft }) => draft) };
  const lines = wanted === false ? [] : tried.flatMap((each) => each.lines);
  const exitCode = tried.every(({ isGood }) => isGood) ? EXIT.done : EXIT.gateFailed;
  if (dryRun === true) {
    print(shown(initial, wanted === true ? lines : []));
    return exitCode;
  }
  for (const file of [...initial.specs, ...initial.workflows]) {
    await writeNewProjectFile(folder, file.path, file.content);
  }
  print(initText(initial, true, lines));
  return exitCode;
}

/** Without somebody to ask, what is proposed is taken. */
async function initialOf(proposed: (answers: Answers) => Initial, { yes }: InitOptions): Promise<Initial> {
  const { stdin: input, stderr: output } = process;
  if (yes === true || input.isTTY !== true || output.isTTY !== true) return await withAnswers(proposed, null);
  const prompt = promptOn({ input, output });
  try {
    return await withAnswers(proposed, prompt.ask);
  } finally {
    prompt.close();
  }
}

async function missing(folder: string, starters: readonly Starter[]): Promise<Starter[]> {
  const isThere = await Promise.all(
    starters.map(({ name }) =>
      access(path.join(folder, '.github/workflows', name)).then(
        () => true,
        () => false,
      ),
    ),
  );
  return starters.filter((_, index) => !isThere[index]);
}

/** The files whole, each under its name. */
function shown(initial: Initial, lines: readonly string[]): string {
  const files = [...initial.specs, ...initial.workflows].map(({ path: name, content }) => `--- ${name}\n${content}`);
  return `${files.join('\n')}\n${initText(initial, false, lines)}`;
}
