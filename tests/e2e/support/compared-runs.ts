import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll } from 'vitest';
import type { Comparison } from '../../../src/core/comparison/comparison.ts';

/** Tags of images that differ from their base by their environment alone. */
const derived = new Set<string>();
export function imageWith(name: string, base: string, env: Record<string, string>): string {
  const tag = `wrkbench-test/${name}:latest`;
  const lines = [`FROM ${base}`, ...Object.entries(env).map(([key, value]) => `ENV ${key}=${value}`)];
  execFileSync('docker', ['build', '--quiet', '--tag', tag, '-'], { input: lines.join('\n') });
  derived.add(tag);
  return tag;
}

/** For a file that calls `imageWith`. */
export function removeImagesAtEnd(): void {
  afterAll(() => {
    for (const tag of derived) execFileSync('docker', ['image', 'rm', '--force', tag]);
    derived.clear();
  });
}

export const comparisonIn = (folder: string): Comparison =>
  JSON.parse(readFileSync(path.join(folder, 'comparison.json'), 'utf8'));

export const httpSpec = (image: string, gate: string, services = '') => `
name: http
services:
  go: {image: "${image}", port: 8080, ready: {path: /ping}}
${services}
endpoints: {ping: {path: /ping, expect: {json: {ok: true}}}}
load:
  wrk: {threads: 1, connections: [16], keep-alive: [on], duration: 1s}
  warm-up: 200ms
  cool-down: 100ms
gate: {throughput: off, memory-peak: off, ${gate}}
`;
