import type { ReleaseArchive } from '../definition.ts';
import release from './release.json' with { type: 'json' };

/** The k6 that is brought where there is none: downloaded, built, advised, or copied out of its image, always this one. */
export const K6_VERSION = release.version;

/** For `go install`. Modules from their second major version on have it in their path: https://go.dev/ref/mod#major-version-suffixes */
export const K6_MODULE = `${release.module}@v${K6_VERSION}`;

/** By `PLATFORM-ARCHITECTURE` of Node.js. Set-up reads the same file. */
export const K6_ARCHIVES: Record<string, ReleaseArchive> = Object.fromEntries(
  Object.entries(release.archives).map(([machine, { platform, sha256 }]) => {
    const name = `k6-v${K6_VERSION}-${platform}`;
    const url = `https://github.com/grafana/k6/releases/download/v${K6_VERSION}/${name}.tar.gz`;
    return [machine, { url, sha256, program: `${name}/k6` }];
  }),
);
