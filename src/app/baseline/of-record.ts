import { dirname, join } from 'node:path';
import { shortSha } from '../../core/baseline/commit.ts';
import { baselineSide } from '../../core/baseline/sides.ts';
import { containerFilesOf, dataFilesOf, measuringFilesOf } from '../../core/config/paths.ts';
import type { ResolvedSpec, Service } from '../../core/config/resolved.ts';
import type { Reason } from '../../core/measurement/names.ts';
import { imagesOfRecord, type RecordedImage } from '../../core/record/artifact.ts';
import type { RunRecord, SideOrigin } from '../../core/record/run-record.ts';
import type { ImageStore } from '../ports/baselines.ts';
import type { BuiltBaseline, StoredBaseline } from './baseline-plan.ts';
import type { Context } from './candidate.ts';
import { dataWarnings } from './data-check.ts';
import { identityCheck } from './identity-check.ts';
import { worktreeOf } from './worktree.ts';

/** The images that a record measured, by their digest or as they are still here; a reason where one cannot be had. */
export async function baselineOfRecordedImages(context: Context, record: RunRecord): Promise<BuiltBaseline | Reason> {
  const { request, adapters, candidateOrigin, governing } = context;
  if (request.runtime === 'process') {
    return {
      code: 'no-images',
      message: 'Processes are compared here, and the earlier run could only give its images.',
    };
  }
  const services = await recordedServices(record, request.spec, adapters.images);
  if ('code' in services) return services;
  const own = { ...record.spec, services };
  const { spec, missing, warnings } = baselineSide(request.spec, own, { ...request, governing });
  const place = await initPlace(context, record);
  const data = await dataWarnings(context, { spec, specDirectory: place.directory });
  const digests = services.map(({ image }) => (image?.kind === 'image' ? shortened(image.reference) : '')).join(', ');
  return {
    kind: 'built',
    spec,
    specDirectory: place.directory,
    gate: record.spec.gate,
    missing,
    origin: { ...originOf(record), text: `image ${digests} of ${recordText(record)}` },
    candidateOrigin,
    candidateBuildDirectory: null,
    warnings: [...data, ...place.warnings, ...warnings],
    // What a record left out as a secret was filled in from the candidate: that it is the same tells nothing.
    sameOnBothSides: warnings.some(({ code }) => code === 'redacted-environment')
      ? async () => null
      : identityCheck(context, { spec, specDirectory: place.directory, tree: null }, missing),
    fallback: null,
    release: place.release,
  };
}

/** The record's services, each with the image that was measured. Its reference is a fixed one in any case. */
async function recordedServices(
  record: RunRecord,
  candidate: ResolvedSpec,
  images: ImageStore,
): Promise<Service[] | Reason> {
  const recorded = imagesOfRecord(record);
  const services: Service[] = [];
  for (const service of record.spec.services) {
    const image = recorded.get(service.name);
    const reference = image === undefined ? null : await referenceOf(image, images);
    if (reference !== null) services.push({ ...service, image: { kind: 'image', reference } });
    else if (service.role === 'subject' && candidate.services.some(({ name }) => name === service.name)) {
      const why =
        image === undefined
          ? 'the earlier run had none'
          : `${shortened(image.id)} is not on this machine, and no registry was said to have it`;
      return {
        code: 'image-gone',
        message: `The image of ${service.name} in ${recordText(record)} is not available: ${why}.`,
      };
    }
  }
  if (services.length > 0) return services;
  return { code: 'image-gone', message: `${recordText(record)} has no image of a service that is measured here.` };
}

async function referenceOf(image: RecordedImage, images: ImageStore): Promise<string | null> {
  return (await images.has(image.id)) ? image.id : image.digest;
}

/** The folder of init files and scripts: of the record's own commit where that is here. */
async function initPlace(
  { request, adapters, checkout, signal }: Context,
  { spec, source }: RunRecord,
): Promise<{ directory: string; warnings: Reason[]; release(): Promise<void> }> {
  const files = [...dataFilesOf(spec), ...containerFilesOf(spec), ...measuringFilesOf(spec)];
  const here = { directory: dirname(request.specFile), release: async () => undefined };
  if (files.length === 0) return { ...here, warnings: [] };
  const sha = checkout === null || source.sha === null ? null : await checkout.repository.commitOf(source.sha);
  const worktree = checkout === null || sha === null ? null : await worktreeOf(checkout, sha, signal);
  if (worktree !== null && 'directory' in worktree) {
    const directory = dirname(join(worktree.directory, checkout!.specPath));
    const found = await Promise.all(files.map((file) => adapters.files.exists(join(directory, file))));
    if (found.every((exists) => exists)) return { directory, warnings: [], release: () => worktree.release() };
    await worktree.release();
  }
  const message =
    "The candidate's init files and scripts serve the baseline as well: those of the earlier run are not here.";
  return { ...here, warnings: [{ code: 'files-of-candidate', message }] };
}

/** The numbers alone. */
export function baselineOfNumbers({ candidateOrigin }: Context, record: RunRecord): StoredBaseline {
  return {
    kind: 'stored',
    record,
    gate: record.spec.gate,
    origin: { ...originOf(record), text: `numbers of ${recordText(record)}` },
    candidateOrigin,
    warnings: [],
  };
}

function originOf({ id, source }: RunRecord): Omit<SideOrigin, 'text'> {
  return { recordId: id, sha: source.sha };
}

/** `run 20261120-0a1b2c of 2026-11-20 (commit 3f2c1ab)` */
function recordText({ id, startedAt, source }: RunRecord): string {
  return `run ${id} of ${startedAt.slice(0, 10)}${source.sha === null ? '' : ` (commit ${shortSha(source.sha)})`}`;
}

/** As many digits as tell images apart. */
function shortened(reference: string): string {
  return reference.replace(/(sha256:[0-9a-f]{12})[0-9a-f]+$/, '$1');
}
