// needs: engine, linux, root
// seconds: 11
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { createEngine, type Engine } from '../../../src/adapters/docker/engine.ts';
import { bridgeOf, removeMetadataRules } from '../../../src/adapters/docker/metadata-rules.ts';
import { createNetwork } from '../../../src/adapters/docker/networks.ts';
import { dockerRuntime } from '../../../src/adapters/docker/runtime.ts';
import type { Service } from '../../../src/core/config/resolved.ts';
import {
  buildFixtureImages,
  docker,
  never,
  newRunId,
  requestFor,
  serviceWith,
  specWith,
  thingsOf,
} from '../../integration/docker/given.ts';
import { ELSEWHERE, METADATA, startOutside } from './outside.ts';

const warned: string[] = [];
const runtime = dockerRuntime({ environment: process.env, warn: (text) => warned.push(text) });
let outside: { stop(): void };

beforeAll(async () => {
  buildFixtureImages('node');
  outside = await startOutside();
});
afterAll(() => outside?.stop());

/** Asks before it does anything else, and listens when it has an answer or none. */
const asking = (address: string, changes: Partial<Service> = {}) =>
  serviceWith({
    image: { kind: 'image', reference: 'wrkbench-fixture/node:latest' },
    command: [
      'node',
      '-e',
      `const http = require('http');
       const listen = (said) => {
         console.log(said);
         http.createServer((_, answer) => answer.end('here')).listen(8080);
       };
       http.get('http://${address}/', { timeout: 2000 }, (answer) => answer.resume().on('end', () => listen('reached')))
         .on('timeout', function () { this.destroy(new Error('no answer')); })
         .on('error', () => listen('not reached'));`,
    ],
    ...changes,
  });

/** By its path, for a test that puts another one before it. */
const IP = execFileSync('which', ['ip'], { encoding: 'utf8' }).trim();
/** The machine's, all of them. */
const rules = () => execFileSync(IP, ['rule', 'show'], { encoding: 'utf8' }).trim().split('\n');
const rule = (verb: 'add' | 'del', ...words: string[]) => execFileSync(IP, ['rule', verb, ...words]);

/** What a service says, once it answers us. */
async function saidBy(service: Service): Promise<string[]> {
  const runId = newRunId();
  const before = rules();
  const testbed = await runtime.start(requestFor(runId, specWith(service)), never());
  try {
    expect(await (await fetch(`${testbed.origins.direct}/ping`)).text()).toBe('here');
    return await testbed.logLines('service', 5);
  } finally {
    await testbed.stop();
    expect(thingsOf(runId)).toEqual([]);
    expect(rules()).toEqual(before);
  }
}

describe('the network of a service', () => {
  it('reaches what the machine reaches, where nothing else is said', async () => {
    expect(await saidBy(asking(ELSEWHERE))).toEqual(['reached']);
  });

  it('has no way out where it is internal, and is reached itself', async () => {
    expect(await saidBy(asking(ELSEWHERE, { network: 'internal' }))).toEqual(['not reached']);
  });
});

const PATH = process.env.PATH;
afterEach(() => {
  process.env.PATH = PATH;
  warned.length = 0;
});
const unprotected = (why: string) =>
  `Services can reach 169.254.169.254, where clouds hand out the credentials of a machine: the rule that prevents it could not be set (${why}). Give services that ask nobody else \`network: internal\` in the spec, or do not measure code of others on this machine.`;

describe("a cloud's metadata service", () => {
  it('is not reached, not even by what a service does first', async () => {
    expect(await saidBy(asking(METADATA))).toEqual(['not reached']);
    expect(warned).toEqual([]);
  });

  it('is reached where the rule that prevents it cannot be set, which fails no run and is told once', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'wrkbench-test-'));
    writeFileSync(join(folder, 'ip'), '#!/bin/sh\necho "RTNETLINK answers: Operation not permitted" >&2\nexit 2\n', {
      mode: 0o755,
    });
    process.env.PATH = `${folder}:${PATH}`;
    expect(await saidBy(asking(METADATA))).toEqual(['reached']);
    expect(warned).toEqual([unprotected('RTNETLINK answers: Operation not permitted')]);
    // Of the next testbed it is known, and a network without a way out needs no rule.
    expect(await saidBy(asking(METADATA, { network: 'internal' }))).toEqual(['not reached']);
    expect(await saidBy(asking(METADATA))).toEqual(['reached']);
    expect(warned).toHaveLength(1);
    rmSync(folder, { recursive: true });
  });
});

describe('the rule of a network', () => {
  const name = `wrkbench-test-${process.pid}`;
  const engine = createEngine(process.env);
  const ofNetwork = () => rules().filter((line) => line.includes(bridgeOf(name)));
  const create = () => createNetwork(engine, { name, internal: false, labels: {} });

  it('stays as long as the network, and is swept where somebody else has removed that', async () => {
    await create();
    expect(ofNetwork()).toEqual([
      expect.stringMatching(/from all to 169\.254\.169\.254 iif wrkb-[0-9a-f]{10} ipproto tcp unreachable/),
    ]);
    expect(await runtime.sweep()).not.toContainEqual(expect.stringContaining(bridgeOf(name)));
    expect(ofNetwork()).toHaveLength(1);

    docker('network', 'rm', name);
    expect(await runtime.sweep()).toContain(`Removed the routing rule of ${bridgeOf(name)}, whose network is gone.`);
    expect(ofNetwork()).toEqual([]);
  });

  it('is set and removed through a sudo that asks for no password, by who is not root', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'wrkbench-test-'));
    writeFileSync(join(folder, 'sudo'), '#!/bin/sh\n[ "$1" = -n ] && shift && exec "$@"\n', { mode: 0o755 });
    const getuid = vi.spyOn(process, 'getuid').mockReturnValue(1000);
    try {
      process.env.PATH = `${folder}:${PATH}`;
      await create();
      expect(ofNetwork()).toHaveLength(1);
      docker('network', 'rm', name);
      expect(await removeMetadataRules((bridge) => bridge === bridgeOf(name))).toEqual([bridgeOf(name)]);
      expect(ofNetwork()).toEqual([]);
    } finally {
      getuid.mockRestore();
      rmSync(folder, { recursive: true });
    }
  });

  it('is told from those of others, which stay', async () => {
    const ofOthers = [
      ['iif', 'wrkb-other', 'to', METADATA, 'ipproto', 'tcp', 'unreachable'],
      ['iif', 'wrkb-0123456789', 'to', ELSEWHERE, 'unreachable'],
      ['iif', 'wrkb-0123456789', 'to', METADATA, 'lookup', 'main'],
    ];
    const before = rules();
    for (const words of ofOthers) rule('add', ...words);
    try {
      const those = rules();
      await runtime.sweep();
      expect(rules()).toEqual(those);
      expect(those).toHaveLength(before.length + ofOthers.length);
    } finally {
      for (const words of ofOthers) rule('del', ...words);
    }
  });

  it('needs none for IPv6, which the network never has', async () => {
    const calls: string[][] = [];
    const recording: Engine = {
      async call(args) {
        calls.push(args);
        return { stdout: '', all: '' };
      },
    };
    // Nor does that engine make a bridge that could be ruled.
    expect(await createNetwork(recording, { name, internal: false, labels: {} })).toBe(
      unprotected(
        `the bridge ${bridgeOf(name)} is not among the network devices that this process sees, as with an engine in a network namespace of its own`,
      ),
    );
    expect(await createNetwork(recording, { name, internal: true, labels: {} })).toBeNull();
    expect(calls[0]).toContain('--ipv6=false');
    await create();
    try {
      expect(docker('network', 'inspect', '--format', '{{.EnableIPv6}}', name)).toBe('false\n');
    } finally {
      docker('network', 'rm', name);
      await runtime.sweep();
    }
  });
});
