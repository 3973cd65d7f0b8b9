import { describe, expect, it } from 'vitest';
import { refusedAccess, refusedBase, registryOf } from '../../../src/core/topology/registry-access.ts';

describe('the registry of an image', () => {
  it.each([
    ['nginx:1.29', 'docker.io'],
    ['acme/api', 'docker.io'],
    ['docker.io/acme/api', 'docker.io'],
    ['ghcr.io/acme/api@sha256:0', 'ghcr.io'],
    ['localhost/api', 'localhost'],
    ['127.0.0.1:5000/api:1', '127.0.0.1:5000'],
    ['registry:5000/api', 'registry:5000'],
  ])('%s is of %s', (reference, registry) => expect(registryOf(reference)).toBe(registry));
});

describe('an image that is not had', () => {
  it.each([
    'docker pull x: Head "http://127.0.0.1:5000/v2/api/manifests/1": no basic auth credentials.',
    "docker pull x: pull access denied for acme/api, repository does not exist or may require 'docker login': denied: requested access to the resource is denied.",
    'docker pull x: Head "https://ghcr.io/v2/acme/api/manifests/1": denied.',
    'docker pull x: unauthorized: incorrect username or password.',
    'docker buildx build: failed to solve: unexpected status from HEAD request to https://x/v2/api/manifests/1: 403 Forbidden.',
  ])('lacks a login: %s', (said) => {
    expect(refusedAccess('ghcr.io/acme/api:1', said, false)).toBe(
      'its registry ghcr.io requires a login, and there is none: give one (`docker login ghcr.io`; in a workflow, the input `registries`, of which a pull request from a fork gets nothing)',
    );
    expect(refusedAccess('acme/api', said, true)).toBe(
      'its registry docker.io refuses the login that it was given: correct the name of the image, or give a login that may pull it (`docker login`; in a workflow, the input `registries`)',
    );
  });

  it.each([
    'docker pull x: manifest for acme/api:2 not found: manifest unknown: manifest unknown.',
    'docker pull x: Get "https://ghcr.io/v2/": dial tcp: connect: connection refused.',
    'docker pull x: open /var/lib/docker/tmp/x: permission denied.',
    'docker pull x: no space left on device.',
  ])('lacks something else: %s', (said) => expect(refusedAccess('ghcr.io/acme/api:1', said, false)).toBeNull());
});

describe('a build that has ended', () => {
  it.each([
    [
      'failed to solve: ghcr.io/acme/base:1: failed to resolve source metadata for ghcr.io/acme/base:1: failed to authorize: failed to fetch anonymous token: 401 Unauthorized.',
      'ghcr.io/acme/base:1',
    ],
    [
      'failed to solve: acme/base: failed to resolve source metadata for docker.io/acme/base:latest: pull access denied, repository does not exist or may require authorization.',
      'docker.io/acme/base:latest',
    ],
    ['Head "http://127.0.0.1:5000/v2/acme/base/manifests/1": no basic auth credentials.', '127.0.0.1:5000/acme/base:1'],
    [
      'unexpected status from HEAD request to https://ghcr.io/v2/acme/base/manifests/sha256:0af: 403 Forbidden.',
      'ghcr.io/acme/base@sha256:0af',
    ],
    ["pull access denied for acme/base, repository does not exist or may require 'docker login'.", 'acme/base'],
  ])('for want of a login: %s', (said, base) => expect(refusedBase(said)).toBe(base));

  it.each([
    'process "/bin/sh -c npm ci" did not complete successfully: 401 Unauthorized - GET https://npm.example.org/v2/x/manifests/1.',
    "The command '/bin/sh -c curl https://x/v2/a/manifests/1 # unauthorized' returned a non-zero code: 22.",
    'failed to solve: ghcr.io/acme/base:9: not found.',
  ])('for another reason: %s', (said) => expect(refusedBase(said)).toBeNull());
});
