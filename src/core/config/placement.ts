import * as z from 'zod';
import { cpuList } from '../values/scalars.ts';
import { combined, form, required, section } from '../values/section.ts';

type Cpus = z.infer<typeof cpuList>;
const cpus = form(cpuList, (written): string => String(written), z.string());

/** Each a list of CPUs in the kernel's notation (`0`, `0-1`, `0,2-3`). */
export const placement = section({
  service: required(cpus, 'CPUs of the service.'),
  database: combined(
    cpuList,
    "CPUs of the database; the service's where it is absent.",
    (all: { service: Cpus; database?: Cpus }): string => String(all.database ?? all.service),
    z.string(),
  ),
  generator: required(cpus, 'CPUs of the generator.'),
});

export const placementOrAuto = form(
  z.union(
    [z.literal('auto'), placement.written],
    'auto, or a map such as {service: 0-1, database: 0-1, generator: 2-3}',
  ),
  (written) => (written === 'auto' ? written : placement.read(written)),
  z.union([z.literal('auto'), placement.recorded]),
);
