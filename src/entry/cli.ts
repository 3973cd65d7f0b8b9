import { Command, CommanderError, InvalidArgumentError, Option } from 'commander';
import { EXIT, failureOf } from './failure.ts';
import { forLog } from './log.ts';

declare const WRKBENCH_VERSION: string;

/** The command. Each verb's code is loaded only when it is called, so that a wrong call is answered at once. */
function program(): Command {
  const wrkbench = new Command('wrkbench')
    .description('Did this change make the server slower, hungrier or chattier, and can the answer be trusted?')
    .version(WRKBENCH_VERSION)
    .showSuggestionAfterError()
    .configureHelp({ showGlobalOptions: false })
    .exitOverride();

  wrkbench
    .command('demo')
    .description('the whole job on the bundled example, in about a minute')
    .option('--out <dir>', 'folder for the results', 'wrkbench-demo')
    .addOption(runtimeOption())
    .action(async (options) => finish(await (await import('./commands/demo.ts')).demoCommand(options)));

  wrkbench
    .command('init')
    .description('write a spec from what the repository shows')
    .argument('[dir]', 'the repository', '.')
    .action(async (directory) => finish(await (await import('./commands/init.ts')).initCommand(directory)));

  wrkbench
    .command('validate')
    .description('check a spec')
    .argument('[spec]', 'spec file', 'wrkbench.yml')
    .option('--json', 'mistakes as JSON')
    .action(async (spec, options) => finish(await (await import('./commands/spec.ts')).validateCommand(spec, options)));

  wrkbench
    .command('plan')
    .description('print the cases, their order, the time they will take and what a comparison can show')
    .argument('[spec]', 'spec file', 'wrkbench.yml')
    .option('--only <glob>', 'only the cases, services or paths that match')
    .option('--quick', 'short slices and fewer connection counts')
    .option('--seed <number>', 'seed of the order', wholeNumber)
    .option('--json', 'the plan as JSON')
    .action(async (spec, options) => finish(await (await import('./commands/spec.ts')).planCommand(spec, options)));

  wrkbench
    .command('doctor')
    .description('what the machine lacks for a spec, and the command that mends it')
    .argument('[spec]', 'spec file; without one, the standard preset')
    .addOption(runtimeOption())
    .option('--json', 'findings as JSON')
    .action(async (spec, options) => finish(await (await import('./commands/doctor.ts')).doctorCommand(spec, options)));

  wrkbench
    .command('run')
    .description('measure; with --baseline, compare and gate')
    .argument('[spec]', 'spec file', 'wrkbench.yml')
    .option('--out <dir>', 'folder for the results; by default a new one in wrkbench-results')
    .option('--only <glob>', 'only the cases, services or paths that match')
    .option('--quick', 'short slices and fewer connection counts')
    .option('--shard <k/n>', 'only the k-th of n parts of the cases, as one of several machines', shard)
    .addOption(runtimeOption())
    .option('--seed <number>', 'seed of the order', wholeNumber)
    .option('--baseline [phrase]', 'what to compare with: auto, image:REF, commit:REF, record:PATH, stored or none')
    .option(
      '--accept <cases=reason>',
      'a regression that is known and wanted: CASES[:METRIC]=REASON; may be repeated',
      (text: string, all: string[]) => [...all, text],
      [],
    )
    .option('--fail-on-inconclusive', 'fail too where a limit could not be judged, as in too short a budget')
    .option('--no-skip', 'measure even where both sides are the same')
    .option('--resume <dir>', 'go on with the run that was interrupted in that folder')
    .option('--json', 'print the run record instead of the table')
    .action(async (spec, options) => finish(await (await import('./commands/run.ts')).runCommand(spec, options)));

  wrkbench
    .command('compare')
    .description('compare two run records, and gate')
    .argument('<base>', 'run.json, or the folder of a run: what is compared with')
    .argument('<head>', 'run.json, or the folder of a run: what is judged')
    .option(
      '--history <dir>',
      'folder with the folders of past runs: how they scattered is what a change is held against',
    )
    .option('--fail-on-inconclusive', 'fail too where past runs are too few to decide')
    .option('--json', 'the comparison as JSON')
    .action(async (base, head, options) =>
      finish(await (await import('./commands/compare.ts')).compareCommand(base, head, options)),
    );

  wrkbench
    .command('report')
    .description('render a run record')
    .argument('<run>', 'run.json, or the folder of a run')
    .addOption(new Option('--format <format>', 'what to render').choices(REPORT_FORMATS).default('markdown'))
    .action(async (path, options) => finish(await (await import('./commands/report.ts')).reportCommand(path, options)));

  wrkbench
    .command('publish')
    .description('add a run to the branch that keeps them')
    .argument('<run>', 'run.json, or the folder of a run; with --hide, the name of a spec')
    .option('--branch <name>', 'branch that keeps the runs', 'gh-pages')
    .option('--remote <url>', 'repository of the branch; by default the remote named origin')
    .option('--keep <number>', 'remove all but the newest so many runs of the spec', wholeNumber)
    .option('--keep-days <number>', 'remove runs of the spec that are older than so many days', wholeNumber)
    .option('--squash', 'leave the branch one commit, without a past')
    .option('--hide <id=reason>', 'let a run that is there count no more')
    .option('--json', 'where it was added, as JSON')
    .action(async (run, options) => finish(await (await import('./commands/publish.ts')).publishCommand(run, options)));

  wrkbench
    .command('parse')
    .description('turn the output of a generator into JSON')
    .argument('<file>', 'the output; - is standard input')
    .addOption(new Option('--tool <tool>', 'which generator').choices(['wrk', 'k6', 'ab']).makeOptionMandatory())
    .action(async (file, options) => finish(await (await import('./commands/parse.ts')).parseCommand(file, options)));

  return wrkbench;
}

/** As `core/report/registry.ts` has them; a test holds the two against each other, so that help needs not load it. */
export const REPORT_FORMATS = [
  'markdown',
  'html',
  'csv',
  'json',
  'github-action-benchmark',
  'github-action-benchmark-bigger',
  'bencher',
];

function runtimeOption(): Option {
  return new Option('--runtime <kind>', 'what services run in').choices(['docker', 'process', 'auto']).default('auto');
}

function shard(text: string): { index: number; count: number } {
  const [, index, count] = /^([1-9]\d?)\/([1-9]\d?)$/.exec(text)?.map(Number) ?? [];
  if (index === undefined || index > count!) throw new InvalidArgumentError('A part of all such as 2/4 is expected.');
  return { index, count: count! };
}

function wholeNumber(text: string): number {
  const value = Number(text);
  if (!/^\d+$/.test(text) || value > 0xffff_ffff)
    throw new InvalidArgumentError('A whole number from 0 to 4294967295 is expected.');
  return value;
}

function finish(exitCode: number): void {
  process.exitCode = exitCode;
}

async function main(): Promise<void> {
  // A reader that has seen enough (`wrkbench report … | head`) is no failure.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
  });
  try {
    await program().parseAsync();
  } catch (error) {
    if (error instanceof CommanderError) {
      process.exitCode = error.exitCode === 0 ? EXIT.done : EXIT.wrongCall;
      return;
    }
    const { text, exitCode } = failureOf(error);
    process.stderr.write(`${forLog(text)}\n`);
    process.exitCode = exitCode;
  }
}

void main();
