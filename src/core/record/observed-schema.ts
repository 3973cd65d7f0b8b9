import * as z from 'zod';
import { OUTPUT_KINDS } from '../measurement/observation.ts';
import { count, figure, text } from './schema-parts.ts';

/** What was seen of a service from outside, as it stands in a record. */
export const observed = z.looseObject({
  caseKey: text.describe('Of the case in whose warm-up it was looked at.'),
  connections: count.describe('Of that case.'),
  listeners: count.exactOptional().describe('Sockets that listen on its port.'),
  backlog: count
    .exactOptional()
    .describe('Connections that may wait to be accepted, as the kernel has it; of several sockets the least.'),
  processes: count.exactOptional(),
  threads: count.exactOptional().describe('Of all processes together.'),
  databaseConnections: count
    .exactOptional()
    .describe("Open connections of the service's role; through a pooler those of the pooler."),
  cpus: text.exactOptional().describe("That its processes may run on, in the kernel's notation."),
  outputs: z.array(z.enum(OUTPUT_KINDS)).exactOptional().describe('Where standard output and error lead.'),
  outputBytesPerSecond: figure.exactOptional().describe('Written there under load; absent where nothing shows it.'),
  headerBytes: count
    .exactOptional()
    .describe('Of one answer without load: all but its body, with the lengths of chunks where it is sent in chunks.'),
  headers: z.array(text).exactOptional().describe('Their names, in lower case.'),
  keepsConnection: z.boolean().exactOptional().describe('The answer does not ask for the connection to be closed.'),
  encoding: text.exactOptional().describe('`content-encoding` of the answer; absent where there is none.'),
  unseen: z.array(text).describe('Why something is absent here.'),
});
