import type { Variant } from '../../core/measurement/names.ts';

/** `go/ping/direct/wrk/close/100` → `go-ping-direct-wrk-close-100.candidate-1-1.stdout.txt`. */
export function rawFileName(caseKey: string, variant: Variant, round: number, trial: number, name: string): string {
  return `${caseKey.replaceAll(/[^\w.@%-]+/g, '-')}.${variant}-${round}-${trial}.${name}`;
}
