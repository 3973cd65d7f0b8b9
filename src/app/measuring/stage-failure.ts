import type { Reason } from '../../core/record/run-record.ts';
import { size } from '../../core/report/figures.ts';
import type { Service } from '../../core/spec/resolved.ts';
import type { StageError } from '../ports/stage.ts';

/** What became of a service's stage, as records and readers are told: whose it was, and what its part printed last. */
export function stageFailureReason(service: Service, { code, message, logLines }: StageError): Reason {
  const limit =
    code === 'out-of-memory' && service.memoryBytes !== null ? ` Its limit is ${size(service.memoryBytes)}.` : '';
  const printed = logLines.map((line) => `\n    ${line}`).join('');
  return { code, message: `${service.name}: ${message}${limit}${printed}` };
}
