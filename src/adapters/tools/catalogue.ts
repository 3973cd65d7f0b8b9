import { K6_MODULE, K6_VERSION } from '../../core/generators/k6/release.ts';
import type { GeneratorName } from '../../core/measurement/names.ts';

/** How a generator comes onto a machine that lacks it. */
export interface CatalogueEntry {
  /** Of a release, by `PLATFORM-ARCHITECTURE` of Node.js; the checksum is of the archive. */
  releases: Record<string, { url: string; sha256: string; program: string }>;
  version: string;
  /** Debian's; null where it has none. */
  package: string | null;
  /** For `go install`; null for what is not written in Go. */
  goModule: string | null;
}

const k6Release = (platform: string, sha256: string) => ({
  url: `https://github.com/grafana/k6/releases/download/v${K6_VERSION}/k6-v${K6_VERSION}-${platform}.tar.gz`,
  sha256,
  program: `k6-v${K6_VERSION}-${platform}/k6`,
});

/** wrk and ab have no releases of programs, only of sources; a package of the system has them. */
export const CATALOGUE: Record<GeneratorName, CatalogueEntry> = {
  k6: {
    version: K6_VERSION,
    releases: {
      'linux-x64': k6Release('linux-amd64', '295d961ebfca306f295f1133068dcd403a8171c87f387928f5f30b0fbcff858a'),
      'linux-arm64': k6Release('linux-arm64', '191fa8d89512a4e5083f3fabcb4c3828af9f5b9eee016de8443f6473c029ffb5'),
    },
    package: null,
    goModule: K6_MODULE,
  },
  wrk: { version: '4.1.0', releases: {}, package: 'wrk', goModule: null },
  ab: { version: '2.3.0', releases: {}, package: 'apache2-utils', goModule: null },
};
