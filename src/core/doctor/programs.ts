import { counted } from '../format/figures.ts';
import type { MachineFacts, ProgramName } from './facts.ts';
import { type Finding, lack, ok } from './finding.ts';
import { installation } from './installation.ts';
import type { MachineNeeds } from './needs.ts';
import type { Runtime } from './runtime.ts';

/**
 * The oldest that will do. wrk 4.0 hands its results to a Lua `done`; k6 1.0 has a stable `handleSummary`; ab has
 * printed the same since 2.3, which is what httpd 2.4 calls it; Postgres 13 splits planning from execution in
 * pg_stat_statements.
 */
const OLDEST: Record<Exclude<ProgramName, 'go' | 'taskset'>, string> = {
  wrk: '4.0',
  k6: '1.0',
  ab: '2.3',
  postgres: '13',
  pgbouncer: '1.14',
  nginx: '1.18',
};

/** Programs that must be on the machine itself; in containers the images bring database, pooler and gateway. */
export function programFindings(needs: MachineNeeds, facts: MachineFacts, runtime: Runtime): Finding[] {
  const { wrk = 0, k6 = 0, ab = 0 } = needs.generators;
  const local = runtime === 'process';
  const findings: (Finding | null)[] = [
    program(
      facts,
      'wrk',
      wrk > 0 ? `It drives ${counted(wrk, 'case')} and warms up for all.` : 'It warms up for all cases.',
    ),
    k6 > 0 ? program(facts, 'k6', `It drives ${counted(k6, 'case')}.${goNote(facts)}`) : null,
    ab > 0 ? program(facts, 'ab', `It drives ${counted(ab, 'case')}.`) : null,
    taskset(facts),
    local && needs.database ? program(facts, 'postgres', 'The spec has a database.') : null,
    local && needs.pooler ? program(facts, 'pgbouncer', 'The spec has a pooler.') : null,
    local && needs.gateway ? program(facts, 'nginx', 'The spec has a gateway.') : null,
  ];
  return findings.filter((finding) => finding !== null);
}

function program(facts: MachineFacts, name: keyof typeof OLDEST, why: string): Finding {
  const found = facts.programs[name];
  const command = installation(facts, name);
  if (found === null) return lack(name, `${name} is not on this machine. ${why}`, command);
  if (found.version === null) return ok(name, `${found.path}, which does not tell its version`);
  if (isOlder(found.version, OLDEST[name])) {
    const tooOld = `${found.path} is version ${found.version}; ${OLDEST[name]} or later is needed. ${why}`;
    return lack(name, tooOld, command);
  }
  return ok(name, `${found.version} (${found.path})`);
}

/** What holds the generator to its CPUs. Every Linux but the smallest has it, so it is not worth a line where it is. */
function taskset(facts: MachineFacts): Finding | null {
  if (facts.platform !== 'linux' || facts.programs.taskset !== null) return null;
  return lack(
    'taskset',
    'taskset is not on this machine. It holds the generator to its own CPUs.',
    installation(facts, 'taskset'),
  );
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
