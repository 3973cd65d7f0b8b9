import { readSpec } from '../../../src/core/config/read.ts';
import type { ResolvedSpec } from '../../../src/core/config/resolved.ts';

/** One service with two endpoints and this load; further top-level YAML behind it. */
export function specWith(load: string, more = ''): ResolvedSpec {
  return readSpec(
    `name: rest-api\nservices:\n  go: {build: ., port: 8080, base-path: /api}\nendpoints:\n  ping: /ping\n  db-ping: /db/ping\nload: ${load}\n${more}`,
    'wrkbench.yml',
  );
}

/** Services a, b, … in the order of the file. */
export function specOfServices(count: number, load = '{preset: standard}'): ResolvedSpec {
  const names = Array.from({ length: count }, (_, index) => String.fromCharCode(97 + index));
  const services = names.map((name) => `  ${name}: {build: ., port: 8080}\n`).join('');
  return readSpec(`name: many\nservices:\n${services}endpoints: {ping: /ping}\nload: ${load}\n`, 'wrkbench.yml');
}
