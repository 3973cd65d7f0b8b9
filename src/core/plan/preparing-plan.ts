import type { ResolvedSpec } from '../config/resolved.ts';
import { changesData, mayWrite } from '../config/writes.ts';
import { counted, span } from '../format/figures.ts';
import { endpointKey } from './duets.ts';
import { durationText } from './duration-text.ts';
import type { Plan, PlannedService } from './plan.ts';

/** What a run takes on top of its cases, for the data that they need. */
export interface DataPlan {
  /** Null where nothing is prepared. */
  preparing: PreparingPlan | null;
  /** Null where no case writes. */
  restores: RestoresPlan | null;
}

interface PreparingPlan {
  /** Of each service. */
  steps: number;
  services: number;
  /** Two where a baseline is started as well. */
  sides: 1 | 2;
  /** What it took in the last run that is known here; null where none is, since only a run can tell. */
  lastSeconds: number | null;
}

/** Of a run of its own; a comparison does so in its rounds. */
interface RestoresPlan {
  count: number;
  /** Of all of them, by how much is put back. */
  seconds: { of10MB: number; of1GB: number };
}

/** As `npm run bench:restore` measures it, and the load after it by which a service has its connections again. */
const RESTORE_SECONDS = { of10MB: 0.3, of1GB: 2 };
const RECONNECTING_SECONDS = 0.5;

/** `lastSeconds`: what preparing took in the last run that is known. */
export function dataPlanOf(
  spec: ResolvedSpec,
  { services }: Pick<Plan, 'services'>,
  lastSeconds: number | null,
): DataPlan {
  const steps = spec.prepare?.length ?? 0;
  const prepared = steps === 0 ? [] : services.filter(({ service }) => service.role === 'subject');
  const isStarted = spec.gate.baseline !== 'none' && spec.gate.baseline !== 'stored';
  const count = services.reduce((sum, planned) => sum + restoresOf(spec, planned), 0);
  return {
    preparing:
      prepared.length === 0 ? null : { steps, services: prepared.length, sides: isStarted ? 2 : 1, lastSeconds },
    restores: count === 0 ? null : { count, seconds: secondsOf(count) },
  };
}

/** After each endpoint that writes was asked without load, before the trial of its cases, and before each case after one of them. */
function restoresOf(spec: ResolvedSpec, { service, cases }: PlannedService): number {
  if (!changesData(spec, service)) return 0;
  const writes = cases.map(({ endpoint }) => mayWrite(endpoint, spec.endpoints));
  const endpoints = new Set(cases.filter((_, index) => writes[index]).map(endpointKey)).size;
  const before = writes.filter((isWriting) => isWriting).length;
  const between = writes.slice(0, -1).filter((isWriting) => isWriting).length;
  return endpoints + before + between;
}

function secondsOf(count: number): RestoresPlan['seconds'] {
  const of = (each: number) => Number((count * (each + RECONNECTING_SECONDS)).toFixed(1));
  return { of10MB: of(RESTORE_SECONDS.of10MB), of1GB: of(RESTORE_SECONDS.of1GB) };
}

/** For a person; empty where there is neither. */
export function dataPlanText({ preparing, restores }: DataPlan): string {
  const lines = [
    ...(preparing === null ? [] : [preparingText(preparing)]),
    ...(restores === null ? [] : [restoresText(restores)]),
  ];
  return lines.length === 0 ? '' : `\n${lines.join('\n')}\n`;
}

function preparingText({ steps, services, sides, lastSeconds }: PreparingPlan): string {
  const whose = services === 1 ? '' : ` for each of ${counted(services, 'service')}`;
  const often = sides === 1 ? '' : `, once for each side`;
  const time = lastSeconds === null ? 'a run tells how long it took' : `it took ${span(lastSeconds)} in the last run`;
  return `Preparing (${counted(steps, 'step')}${whose}${often}) comes on top; ${time}.`;
}

function restoresText({ count, seconds }: RestoresPlan): string {
  const { of10MB, of1GB } = seconds;
  return `Putting data back (${counted(count, 'time')}) comes on top: about ${durationText(of10MB)} for 10 MB of data, ${durationText(of1GB)} for 1 GB.`;
}
