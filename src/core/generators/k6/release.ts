/** The k6 that is brought where there is none: downloaded, built, advised, or copied out of its image, always this one. */
export const K6_VERSION = '2.1.0';

/** For `go install`. Modules from their second major version on have it in their path: https://go.dev/ref/mod#major-version-suffixes */
export const K6_MODULE = `go.k6.io/k6/v2@v${K6_VERSION}`;
