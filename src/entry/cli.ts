import { Argument, Command, CommanderError, InvalidArgumentError, Option } from 'commander';
import { GENERATOR_NAMES } from '../core/generators/registry.ts';
import { DURATION, secondsOf } from '../core/values/units.ts';
import { EXIT, failureOf } from './failure.ts';
import { print, printError } from './output.ts';

declare const WRKBENCH_VERSION: string;

/** The command. Each verb's code is loaded only when it is called, so that a wrong call is answered at once. */
function program(): Command {
  const wrkbench = new Command('wrkbench')
    .description('Finds out whether a change made an HTTP server slower or more expensive, and how sure that is.')
    .version(WRKBENCH_VERSION, '-v, --version', 'print the version')
    // The library that colours reads it, and NO_COLOR, by itself.
    .option('--no-color', 'no colours on a terminal, with any command; as where the variable NO_COLOR is set')
    .showSuggestionAfterError()
    .configureHelp({ showGlobalOptions: false })
    .configureOutput({ writeOut: print, writeErr: printError })
    .exitOverride();

  wrkbench
    .command('demo')
    .description('find a query that was added to the bundled example, in about a minute')
    .option('--matrix', 'measure all cases of the example instead, and compare nothing')
    .option('--quick', 'only count the queries; with --matrix, short trials')
    .option('--out <dir>', 'folder for the results', 'wrkbench-demo')
    .addOption(runtimeOption())
    .action(async (options) => finish(await (await import('./commands/demo.ts')).demoCommand(options)));

  wrkbench
    .command('init')
    .description('write a spec and a workflow: read the repository, start the service and ask it what it serves')
    .argument('[dir]', 'the repository', '.')
    .option('-y, --yes', 'ask nothing: take what is proposed, and mark what is a guess')
    .option('--dry-run', 'print what would be written, and write nothing')
    .option('--forks', 'two workflow files, for a repository that takes pull requests from forks')
    // By default, but for --dry-run.
    .addOption(new Option('--try', 'start it and ask it, with --dry-run as well').hideHelp())
    .option('--no-try', 'only read files: start nothing, and ask nothing')
    .addOption(runtimeOption())
    .action(async (directory, options) =>
      finish(await (await import('./commands/init.ts')).initCommand(directory, options)),
    );

  wrkbench
    .command('validate')
    .description('check a spec')
    .argument('[spec]', 'spec file', 'wrkbench.yml')
    .option('--json', 'diagnostics as JSON')
    .action(async (spec, options) => finish(await (await import('./commands/spec.ts')).validateCommand(spec, options)));

  wrkbench
    .command('plan')
    .description('print the cases, their order, the time they will take and what a comparison can show')
    .argument('[spec]', 'spec file', 'wrkbench.yml')
    .option('--only <glob>', 'only cases, services or paths that match')
    .option('--quick', 'short trials and fewer connection counts')
    .addOption(runtimeOption())
    .option('--seed <number>', 'seed of the order', wholeNumber)
    .option('--json', 'the plan as JSON')
    .action(async (spec, options) => finish(await (await import('./commands/spec.ts')).planCommand(spec, options)));

  wrkbench
    .command('doctor')
    .description('what is missing on this machine for a spec, and how to fix it')
    .argument('[spec]', 'spec file (default: wrkbench.yml where there is one, else the standard preset)')
    .addOption(runtimeOption())
    .option('--json', 'findings as JSON')
    .action(async (spec, options) => finish(await (await import('./commands/doctor.ts')).doctorCommand(spec, options)));

  wrkbench
    .command('run')
    .description('measure; with --baseline, compare and gate')
    .argument('[spec]', 'spec file', 'wrkbench.yml')
    .option('--out <dir>', 'folder for the results (default: a new one in wrkbench-results)')
    .option('--only <glob>', 'only cases, services or paths that match')
    .option('--quick', 'short trials and fewer connection counts')
    .option('--shard <k/n>', 'only the k-th of n parts of the cases, when several machines share them', shard)
    .addOption(runtimeOption())
    .option('--seed <number>', 'seed of the order', wholeNumber)
    .option('--baseline [phrase]', 'what to compare with: auto, image:REF, commit:REF, record:PATH, stored or none')
    .option(
      '--accept <cases=reason>',
      'a known and intended regression: CASES[:METRIC]=REASON; may be repeated',
      (text: string, all: string[]) => [...all, text],
      [],
    )
    .option(
      '--fail-on-inconclusive',
      'also fail when a limit could not be judged, for example because the budget is too short',
    )
    .option('--no-skip', 'measure even when both sides are identical')
    .option(
      '--wait <duration>',
      'how long to wait until another run on this machine ends; 0 for not at all (default: no limit)',
      wait,
    )
    .option('--resume <dir>', 'continue the interrupted run in that folder')
    .option('--json', 'print the run record instead of the table')
    .action(async (spec, options) => finish(await (await import('./commands/run.ts')).runCommand(spec, options)));

  wrkbench
    .command('compare')
    .description('compare two run records, and gate')
    .argument('<base>', 'the baseline: run.json, or the folder of a run')
    .argument('<head>', 'the candidate: run.json, or the folder of a run')
    .option('--history <dir>', 'folder of past runs, whose run-to-run variation changes are judged against')
    .option('--fail-on-inconclusive', 'also fail when there are too few past runs to decide')
    .option('--json', 'the comparison as JSON')
    .action(async (base, head, options) =>
      finish(await (await import('./commands/compare.ts')).compareCommand(base, head, options)),
    );

  wrkbench
    .command('report')
    .description('render a run record; or write a report of several, around what its author wrote')
    .argument('<run...>', 'run.json, or the folder of a run; of several, NAME=RUN gives each a name')
    .addOption(
      new Option('--format <format>', 'what to render; by default a table on a terminal, markdown elsewhere').choices(
        REPORT_FORMATS,
      ),
    )
    .option('--into <file>', 'make the blocks and values of this Markdown file anew; without the file, begin it')
    .option('--template <file>', 'what the report begins as (default: .wrkbench/templates/benchmark.md, or our own)')
    .action(async (runs, options) => finish(await (await import('./commands/report.ts')).reportCommand(runs, options)));

  wrkbench
    .command('publish')
    .description('add a run to the branch that keeps the runs')
    .argument('<run>', 'run.json, or the folder of a run; with --hide or --rebuild, the name of a spec')
    .option('--branch <name>', 'branch that keeps the runs', 'gh-pages')
    .option('--remote <url>', 'repository of the branch; by default the remote named origin')
    .option('--keep <number>', 'number of runs of the spec to keep', wholeNumber)
    .option('--keep-days <number>', 'number of days to keep runs of the spec for', wholeNumber)
    .option('--squash', 'replace the history of the branch by one commit')
    .option('--hide <id=reason>', 'exclude a stored run from comparisons and charts')
    .addOption(
      new Option('--rebuild', 'make the series of the pages anew from the stored runs').conflicts([
        'hide',
        'keep',
        'keepDays',
        'squash',
      ]),
    )
    .option('--json', 'where it was added, as JSON')
    .action(async (run, options) =>
      finish(await (await import('./commands/publish.ts')).publishCommand(run, options, WRKBENCH_VERSION)),
    );

  wrkbench
    .command('serve')
    .description('show published pages, or runs as pages, in a browser of this machine')
    .argument(
      '[dir]',
      'a checkout of the data branch, the folder of a run, or a folder of such; with --branch, a clone',
    )
    .option('--branch <name>', 'read this branch of the clone instead, such as gh-pages; its checkout stays as it is')
    .option('--remote <url>', 'repository of the branch, if it is not in the clone')
    .option('--port <number>', 'port to listen on (default: any free one)', port)
    .action(async (directory, options) =>
      finish(await (await import('./commands/serve.ts')).serveCommand(directory, options, WRKBENCH_VERSION)),
    );

  wrkbench
    .command('import')
    .description('add the data.js of github-action-benchmark to the history of a spec')
    .argument('<file>', 'data.js, as that action publishes it, or the same as JSON')
    .requiredOption('--spec <name>', 'spec whose pages are to show it')
    .option('--branch <name>', 'branch that keeps the runs', 'gh-pages')
    .option('--remote <url>', 'repository of the branch; by default the remote named origin')
    .addOption(
      new Option('--into <dir>', 'a folder that holds what the branch holds, in place of it').conflicts([
        'branch',
        'remote',
      ]),
    )
    .option('--json', 'what was added, as JSON')
    .action(async (file, options) =>
      finish(await (await import('./commands/import.ts')).importCommand(file, options, WRKBENCH_VERSION)),
    );

  wrkbench
    .command('parse')
    .description('turn the output of wrk, wrk2, k6, ab or h2load into JSON')
    .argument('<file>', 'the output; - is standard input')
    .addOption(new Option('--tool <tool>', 'which generator; by default the text shows it').choices(GENERATOR_NAMES))
    .action(async (file, options) => finish(await (await import('./commands/parse.ts')).parseCommand(file, options)));

  wrkbench
    .command('completion')
    .description('print the completions of a shell, as in: source <(wrkbench completion bash)')
    .addArgument(new Argument('<shell>').choices(['bash', 'zsh', 'fish', 'powershell']));

  return wrkbench;
}

/** As `core/report/registry.ts` has them; a test holds the two against each other, so that help needs not load it. */
const REPORT_FORMATS = [
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
  if (index === undefined || index > count!) throw new InvalidArgumentError('Expected K/N, for example 2/4.');
  return { index, count: count! };
}

/** Seconds. */
function wait(text: string): number {
  if (text === '0') return 0;
  if (!DURATION.test(text)) throw new InvalidArgumentError('Expected a duration such as 10m or 90s, or 0.');
  return secondsOf(text);
}

function port(text: string): number {
  const value = Number(text);
  if (!/^\d{1,5}$/.test(text) || value > 65_535) throw new InvalidArgumentError('A port from 0 to 65535 is expected.');
  return value;
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
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      // A reader that has seen enough (`wrkbench report … | head`) is no failure, and a terminal that was closed reads nothing:
      // what was started is still taken down.
      const isOver = error.code === 'EPIPE' || (error.code === 'EIO' && stream.isTTY);
      if (!isOver) throw error;
    });
  }
  try {
    const wrkbench = program();
    if (/^complet(e|ion)$/.test(process.argv[2] ?? '')) {
      const { addCompletions } = await import('./completion.ts');
      addCompletions(wrkbench);
    }
    await wrkbench.parseAsync();
  } catch (error) {
    if (error instanceof CommanderError) {
      process.exitCode = error.exitCode === 0 ? EXIT.done : EXIT.wrongCall;
      return;
    }
    const { text, exitCode } = failureOf(error);
    printError(`${text}\n`);
    process.exitCode = exitCode;
  }
}

void main();
