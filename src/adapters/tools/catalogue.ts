import { K6_ARCHIVES, K6_MODULE, K6_VERSION, type ReleaseArchive } from '../../core/generators/k6/release.ts';
import type { GeneratorName } from '../../core/generators/registry.ts';

/** How a generator comes onto a machine that lacks it. */
export interface CatalogueEntry {
  /** Of a release, by `PLATFORM-ARCHITECTURE` of Node.js; the checksum is of the archive. */
  releases: Record<string, ReleaseArchive>;
  version: string;
  /** Debian's; null where it has none. */
  package: string | null;
  /** For `go install`; null for what is not written in Go. */
  goModule: string | null;
}

/** wrk and ab have no releases of programs, only of sources; a package of the system has them. */
export const CATALOGUE: Record<GeneratorName, CatalogueEntry> = {
  k6: {
    version: K6_VERSION,
    releases: K6_ARCHIVES,
    package: null,
    goModule: K6_MODULE,
  },
  wrk: { version: '4.1.0', releases: {}, package: 'wrk', goModule: null },
  ab: { version: '2.3.0', releases: {}, package: 'apache2-utils', goModule: null },
};
