import { counted } from '../format/figures.ts';
import { GENERATOR_NAMES, type GeneratorName, generators } from '../generators/registry.ts';
import { isGenerator, type MachineFacts, type ProgramName } from './facts.ts';
import { type Finding, ok, problem, warning } from './finding.ts';
import { installation, perfInstallation } from './installation.ts';
import type { MachineNeeds } from './needs.ts';
import type { Runtime } from './runtime.ts';

/** The oldest that will do. Postgres 13 splits planning from execution in pg_stat_statements. */
const OLDEST: Record<Exclude<ProgramName, GeneratorName | 'go' | 'taskset' | 'perf'>, string> = {
  postgres: '13',
  pgbouncer: '1.14',
  nginx: '1.18',
};

/** Programs that must be on the machine itself; in containers the images bring database, pooler and gateway. */
export function programFindings(needs: MachineNeeds, facts: MachineFacts, runtime: Runtime): Finding[] {
  const local = runtime === 'process';
  const findings: (Finding | null)[] = [
    ...GENERATOR_NAMES.map((name) => generatorFinding(name, needs, facts)),
    taskset(facts),
    needs.syscalls ? perf(facts) : null,
    local && needs.database ? program(facts, 'postgres', 'The spec has a database.') : null,
    local && needs.pooler ? program(facts, 'pgbouncer', 'The spec has a pooler.') : null,
    local && needs.gateway ? program(facts, 'nginx', 'The spec has a gateway.') : null,
  ];
  return findings.filter((finding) => finding !== null);
}

function generatorFinding(name: GeneratorName, needs: MachineNeeds, facts: MachineFacts): Finding | null {
  const cases = needs.generators[name] ?? 0;
  const isWarmingUp = needs.warmUpGenerators.includes(name);
  if (cases === 0) return isWarmingUp ? program(facts, name, 'It warms up for all cases.') : null;
  const more = isWarmingUp ? ' and warms up for all' : '';
  const command = installation(facts, name) ?? '';
  return program(
    facts,
    name,
    `It drives ${counted(cases, 'case')}${more}.${command.startsWith('go ') ? goNote(facts) : ''}`,
  );
}

function program(facts: MachineFacts, name: GeneratorName | keyof typeof OLDEST, why: string): Finding {
  const found = facts.programs[name];
  const command = installation(facts, name);
  const oldest = isGenerator(name) ? generators[name].program.leastVersion : OLDEST[name];
  if (found === null) return problem(name, `${name} is not on this machine. ${why}`, command);
  if (found.version === null) return ok(name, `${found.path}, whose version is unknown`);
  if (isOlder(found.version, oldest)) {
    const tooOld = `${found.path} is version ${found.version}; ${oldest} or later is needed. ${why}`;
    return problem(name, tooOld, command);
  }
  return ok(name, `${found.version} (${found.path})`);
}

/** What holds the generator to its CPUs. Every Linux but the smallest has it, so it is not worth a line where it is. */
function taskset(facts: MachineFacts): Finding | null {
  if (facts.platform !== 'linux' || facts.programs.taskset !== null) return null;
  return problem(
    'taskset',
    'taskset is not on this machine. It holds the generator to its own CPUs.',
    installation(facts, 'taskset'),
  );
}

/** Without it the metric is absent, and the limit is held to nothing. */
function perf(facts: MachineFacts): Finding | null {
  if (facts.programs.perf !== null) return ok('perf', facts.programs.perf.path);
  const why = 'The spec limits syscalls-per-request, which is not measured without it.';
  if (facts.platform !== 'linux') return warning('perf', `perf counts system calls on Linux alone. ${why}`, null);
  return warning('perf', `perf is not on this machine. ${why}`, perfInstallation(facts));
}

/** Go 1.21 was the first to fetch the newer toolchain that k6's own source asks for. */
function goNote({ programs: { go } }: MachineFacts): string {
  const old = go === null || (go.version !== null && isOlder(go.version, '1.21'));
  return old
    ? ' The command needs Go 1.21 or later (https://go.dev/dl); packages: https://grafana.com/docs/k6/latest/set-up/install-k6/.'
    : '';
}

/** Compares as many parts as `least` has. */
function isOlder(version: string, least: string): boolean {
  const parts = version.split('.').map(Number);
  for (const [index, wanted] of least.split('.').map(Number).entries()) {
    const part = parts[index] ?? 0;
    if (part !== wanted) return part < wanted;
  }
  return false;
}
