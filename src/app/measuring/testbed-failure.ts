import type { Service } from '../../core/config/resolved.ts';
import { size } from '../../core/format/figures.ts';
import type { Reason } from '../../core/measurement/names.ts';
import type { TestbedError } from '../ports/testbed.ts';

/** What became of a service's testbed, as records and readers are told: whose it was, and what its part printed last. */
export function testbedFailureReason(service: Service, { code, message, logLines }: TestbedError): Reason {
  const limit =
    code === 'out-of-memory' && service.memoryBytes !== null ? ` Its limit is ${size(service.memoryBytes)}.` : '';
  const printed = logLines.map((line) => `\n    ${line}`).join('');
  return { code, message: `${service.name}: ${message}${limit}${printed}` };
}
