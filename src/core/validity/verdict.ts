import { counted, grouped } from '../format/figures.ts';
import { generators } from '../generators/registry.ts';
import type { Reason } from '../measurement/names.ts';
import type { Evidence } from './evidence.ts';
import { VALIDITY_LIMITS as LIMIT } from './limits.ts';
import { type Rule, specMarks, validityRules } from './rules.ts';
import { loadShares, utilisationOf } from './shares.ts';

/**
 * Why the trial is no measurement of its case; empty where it is one. What became of the testbed explains all the rest:
 * requests to a server that is gone fail, and its meters stand still.
 */
export function invalidReasons(evidence: Evidence): Reason[] {
  if (evidence.trial.testbedFailure !== null) return [evidence.trial.testbedFailure];
  return found(validityRules, evidence);
}

function found(rules: Record<string, Rule>, evidence: Evidence): Reason[] {
  return Object.entries(rules).flatMap(([code, rule]) => {
    const message = rule(evidence);
    return message === null ? [] : [{ code, message }];
  });
}

/** Worth knowing of a trial that is a measurement all the same. */
export function warnings(evidence: Evidence): Reason[] {
  const { trial, case: testCase } = evidence;
  const all: Reason[] = [...trial.notes, ...found(specMarks, evidence)];
  const { generator, server, foreign, foreignBesideGenerator } = loadShares(trial);
  const steal = utilisationOf(trial).steal / Math.max(1, trial.cpu.serverCpuCount);
  const percent = (share: number) => `${Math.round(share * 100)} %`;
  if (foreign > LIMIT.foreignShare) {
    all.push({
      code: 'foreign-cpu',
      message: `${percent(foreign)} of the server's CPUs went to processes that are not part of this run`,
    });
  }
  if (foreignBesideGenerator > LIMIT.foreignShare) {
    all.push({
      code: 'foreign-cpu-generator',
      message: `${percent(foreignBesideGenerator)} of the generator's CPUs went to processes that are not part of this run`,
    });
  }
  if (steal > LIMIT.stealShare) {
    all.push({ code: 'steal', message: `the hypervisor took ${percent(steal)} of the server's CPUs` });
  }
  const inStep = requestsInStep(evidence);
  if (inStep !== null) all.push({ code: 'requests-in-step', message: inStep });
  if (!trial.warmUp.steady) {
    all.push({
      code: 'warm-up-unsteady',
      message: `throughput was not steady after ${Math.round(trial.warmUp.seconds)} s of warm-up`,
    });
  }
  // Of a generator that has used nothing the CPU time is not seen (macOS): nobody knows whether it was busy.
  if (
    trial.rate === null &&
    generators[testCase.generator].closedLoopKeepsBusy &&
    generator > 0 &&
    generator < 0.5 &&
    server + foreign + steal < 0.5
  ) {
    all.push({
      code: 'waiting',
      message: `neither the server (${percent(server)} of its CPUs) nor the generator (${percent(generator)}) was busy: requests waited for something else, such as a timer, a lock or a full backlog`,
    });
  }
  return all;
}

/** Requests that differ, by a generator that walks their list once for each connection. */
function requestsInStep({ trial: { outcome }, case: { generator, endpoint, connections } }: Evidence): string | null {
  const { values, requests, mix } = endpoint;
  const answered = outcome?.requests ?? 0;
  if (generators[generator].requestSets !== 'urls' || connections === 1 || answered === 0) return null;
  if ((values ?? requests ?? mix) === undefined) return null;
  const each = Math.ceil(answered / connections);
  return [
    `each of the ${grouped(connections)} connections of ${generator} sends the list of requests by itself, from the same place on`,
    `: ${counted(each, 'request')} in this trial, each ${grouped(connections)} times at about the same moment, which loads caches and locks as no number of users does`,
    '. Measure it with wrk or k6, or with `connections: 1`, and `streams` where the service speaks HTTP/2',
  ].join('');
}
