import type { RunRecord } from './run-record.ts';

export interface RecordedImage {
  /** `sha256:…` */
  id: string;
  /** `NAME@sha256:…`, where a registry gave it. */
  digest: string | null;
}

const IMAGE_ID = /^sha256:[0-9a-f]{64}$/;
const DIGEST = /^[A-Za-z0-9][A-Za-z0-9._/:-]{0,400}@sha256:[0-9a-f]{64}$/;

/** The image of a record's artifact (`sha256:… NAME@sha256:…`); null for a process, or for what is none. */
export function imageOfArtifact(artifact: string): RecordedImage | null {
  const [id = '', digest = null, ...rest] = artifact.split(' ');
  if (!IMAGE_ID.test(id) || rest.length > 0) return null;
  if (digest !== null && !DIGEST.test(digest)) return null;
  return { id, digest };
}

/** Service → image that was measured as candidate, of each that was had. */
export function imagesOfRecord({ services }: RunRecord): Map<string, RecordedImage> {
  const images = new Map<string, RecordedImage>();
  for (const { service, variant, artifact, failure } of services) {
    const image = variant === 'candidate' && failure === null ? imageOfArtifact(artifact) : null;
    if (image !== null) images.set(service, image);
  }
  return images;
}
