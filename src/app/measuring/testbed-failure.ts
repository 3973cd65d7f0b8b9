import type { Service } from '../../core/config/resolved.ts';
import { ownedSentence } from '../../core/format/owner.ts';
import { excerptOf } from '../../core/format/printed-lines.ts';
import { shortened } from '../../core/format/text.ts';
import type { Reason } from '../../core/measurement/names.ts';
import type { TestbedError } from '../ports/testbed.ts';

/** Characters; a server may print a line of megabytes, and a record holds it for every case. */
const LONGEST_LOG_LINE = 2000;
const MOST_LOG_LINES = 20;

/** What became of a service's testbed, as records and readers are told: whose it was, and what its part printed last. */
export function testbedFailureReason(service: Service, { code, message, logLines }: TestbedError): Reason {
  const printed = excerptOf(logLines, MOST_LOG_LINES)
    .map((line) => `\n    ${shortened(line.slice(0, 2 * LONGEST_LOG_LINE), LONGEST_LOG_LINE)}`)
    .join('');
  return { code, message: `${ownedSentence(service.name, message)}${printed}` };
}
