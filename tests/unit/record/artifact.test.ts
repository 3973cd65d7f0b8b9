import { describe, expect, it } from 'vitest';
import { imageOfArtifact, imagesOfRecord } from '../../../src/core/record/artifact.ts';
import { DIGEST, earlierRun, IMAGE_ID } from '../baseline/records.ts';

describe('the image of an artifact', () => {
  it('is its id, with the digest where a registry gave one', () => {
    expect(imageOfArtifact(IMAGE_ID)).toEqual({ id: IMAGE_ID, digest: null });
    expect(imageOfArtifact(`${IMAGE_ID} ${DIGEST}`)).toEqual({ id: IMAGE_ID, digest: DIGEST });
  });

  it.each([
    '',
    'node server.js',
    'acme/go:latest',
    'sha256:1',
    `${IMAGE_ID} acme/go:latest`,
    `${IMAGE_ID} --privileged@${IMAGE_ID}`,
    `${IMAGE_ID} ${DIGEST} x`,
  ])('is none: %j', (artifact) => {
    expect(imageOfArtifact(artifact)).toBeNull();
  });

  it('of a record is that of its candidate', () => {
    const { services } = earlierRun();
    const record = earlierRun({
      services: [
        ...services,
        { service: 'go', variant: 'baseline', artifact: `sha256:${'9'.repeat(64)}`, failure: null },
        { service: 'rust', variant: 'candidate', artifact: IMAGE_ID, failure: { code: 'not-ready', message: '' } },
        { service: 'node', variant: 'candidate', artifact: 'node server.js', failure: null },
      ],
    });
    expect([...imagesOfRecord(record)]).toEqual([['go', { id: IMAGE_ID, digest: DIGEST }]]);
  });
});
