import type { Variant } from '../../core/plan/case.ts';

/** `go/ping/direct/wrk/close/100` → `go-ping-direct-wrk-close-100.candidate-1-1.stdout.txt`. */
export function rawFileName(caseKey: string, variant: Variant, instance: number, slice: number, name: string): string {
  return `${caseKey.replaceAll(/[^\w.@%-]+/g, '-')}.${variant}-${instance}-${slice}.${name}`;
}
