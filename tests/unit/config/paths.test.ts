import { describe, expect, it } from 'vitest';
import { specPaths } from '../../../src/core/config/paths.ts';
import { readSpec } from '../../../src/core/config/read.ts';
import { leastWith } from './specs.ts';

const pathsOf = (text: string) => specPaths(readSpec(text, 'wrkbench.yml'));

describe('the paths of a spec', () => {
  it('are what is built, started and read, each once', () => {
    const text = `name: api
services:
  go: {build: {context: app, dockerfile: docker/Dockerfile}, port: 8080}
  rust: {command: [./rust], working-directory: bin, port: 8081}
  same: {build: app, port: 8082}
database: {image: "postgres:18", init: [schema.sql, data/users.sql]}
gateway: {kind: nginx, config: load/nginx.conf}
endpoints: {ping: /ping}
load: {wrk: {script: load/ping.lua}, k6: {script: load/ping.js}}
gate: {baseline: "record:runs/main", anchor: "record:runs/v1/run.json"}
`;
    expect(pathsOf(text)).toEqual([
      'app',
      'app/docker/Dockerfile',
      'bin',
      'app/Dockerfile',
      'schema.sql',
      'data/users.sql',
      'load/ping.lua',
      'load/ping.js',
      'load/nginx.conf',
      'runs/main',
      'runs/main/run.json',
      'runs/main/journal.jsonl',
      'runs/v1/run.json',
      'runs/v1/run.json/run.json',
      'runs/v1/run.json/journal.jsonl',
    ]);
  });

  it.each(['auto', 'stored', 'none', 'image:acme/api:1', 'commit:v1'])('are none of the baseline %s', (baseline) => {
    expect(pathsOf(leastWith(`gate: {baseline: "${baseline}"}\n`))).toEqual(['.', 'Dockerfile']);
  });
});
