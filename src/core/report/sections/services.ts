import { cpuQuotaOf } from '../../config/cpu-quota.ts';
import type { Placement, Service } from '../../config/resolved.ts';
import { absent, size } from '../../format/figures.ts';
import type { Variant } from '../../measurement/names.ts';
import type { Environment, RunRecord } from '../../record/run-record.ts';
import { placementFor } from '../../topology/placement.ts';
import { aboutService } from '../about.ts';
import { type Inline, left, type Row, right, type Section, withoutEmptyColumns } from '../document.ts';
import type { ReportView } from '../view.ts';

/** Who was measured: role, what its spec says of it, what was started, its limits of memory and CPUs. */
export function services({ record }: ReportView): Section | null {
  if (record.spec.services.length === 0) return null;
  const rows = record.spec.services.map((service): Row => {
    const failures = record.services.filter((each) => each.service === service.name && each.failure !== null);
    const failed = failures.some(({ variant, absent }) => variant === 'candidate' && absent !== true);
    const notes = failures.map(({ variant, absent }) => {
      const what = absent === true ? 'absent' : 'failed';
      return variant === 'baseline' ? `, baseline ${what}` : `, ${what}`;
    });
    return {
      tone: failed ? 'invalid' : service.role === 'reference' ? 'reference' : 'plain',
      cells: [
        service.name,
        `${service.role === 'reference' ? 'reference' : 'under test'}${notes.join('')}`,
        aboutService(record.spec, service.name),
        source(service, record.environment.runtime),
        artifacts(record, service.name),
        imageSizes(record, service.name),
        service.memoryBytes === null ? absent : size(service.memoryBytes),
        service.cpus === undefined ? absent : cpusOf(service, record.environment.placement),
      ],
    };
  });
  const columns = [
    left('Service'),
    left('Role'),
    left('About'),
    left('From'),
    left('Started'),
    right('Image size'),
    right('Memory limit'),
    right('CPUs'),
  ];
  const table = withoutEmptyColumns({ label: 'Services', columns, rows }, absent);
  return { id: 'services', title: 'Services', blocks: [{ kind: 'table', table }] };
}

/** `0-1`, or `1.5 on CPU 0-1` where the kernel limits its CPU time. */
function cpusOf(service: Service, placement: Placement): string {
  const quota = cpuQuotaOf(service, placement);
  const { service: list } = placementFor(service, placement);
  return quota === null ? list : `${quota} on ${list === '' ? 'any' : `CPU ${list}`}`;
}

function source({ image, command }: Service, runtime: Environment['runtime']): Inline {
  if (runtime === 'process') return 'a process of this machine';
  if (image?.kind === 'image') return { code: image.reference };
  if (image?.kind === 'build') return ['built from ', { code: image.dockerfile }];
  return command === null ? absent : { code: command.join(' ') };
}

function artifacts({ services: started }: RunRecord, name: string): Inline {
  const own = started.filter(({ service, artifact }) => service === name && artifact !== '');
  if (own.length === 0) return absent;
  return own.flatMap(({ artifact, variant }, index): Inline[] => [
    ...(index > 0 ? [', '] : []),
    { code: shortDigest(artifact) },
    ...(own.length > 1 ? [` (${variant})`] : []),
  ]);
}

/** `245 MiB`; `245 MiB, baseline 187 MiB` where they differ. */
function imageSizes({ services: started }: RunRecord, name: string): string {
  const of = (variant: Variant) =>
    started.find((each) => each.service === name && each.variant === variant)?.imageBytes ?? null;
  const [baseline, candidate] = [of('baseline'), of('candidate')];
  if (candidate === null) return baseline === null ? absent : `baseline ${size(baseline)}`;
  return baseline === null || baseline === candidate
    ? size(candidate)
    : `${size(candidate)}, baseline ${size(baseline)}`;
}

/** `sha256:` and twelve digits tell images apart as Docker's own lists do. */
function shortDigest(artifact: string): string {
  return artifact.replace(/(sha256:[0-9a-f]{12})[0-9a-f]{52}/, '$1');
}
