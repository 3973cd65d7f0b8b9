import type { PrepareStep, RepeatedRequest } from '../config/prepare.ts';
import type { OnSecret } from './redacted-text.ts';

/** How the parts of a spec are redacted that steps are made of too. */
export interface Redactors {
  variables(values: Record<string, string>, onSecret: OnSecret): Record<string, string>;
  command(words: readonly string[], onSecret: OnSecret): string[];
  request(asked: RepeatedRequest, onSecret: OnSecret): RepeatedRequest;
}

/** Steps without what a name in them says is a secret. */
export function redactedPrepare(
  steps: readonly PrepareStep[],
  { variables, command, request }: Redactors,
  onSecret: OnSecret,
): PrepareStep[] {
  return steps.map((step) => {
    switch (step.kind) {
      case 'job':
        return { ...step, command: command(step.command, onSecret), env: variables(step.env, onSecret) };
      case 'requests':
        return { ...step, requests: step.requests.map((each) => request(each, onSecret)) };
      default:
        return step;
    }
  });
}
