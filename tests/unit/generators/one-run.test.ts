import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parseOutput } from '../../../src/app/parse.ts';
import { UnreadableOutput } from '../../../src/core/generators/definition.ts';
import { recorded } from './fixtures.ts';

const caseText = (name: string) =>
  readFileSync(new URL(`../../../fixtures/cases/parse/${name}`, import.meta.url), 'utf8');
const several = (tool: string, count: number) =>
  new UnreadableOutput(
    `This holds ${count} whole outputs of ${tool}, and their figures are not mixed. Give the one that is meant, and no other.`,
  );

const WHOLE = {
  wrk: recorded('wrk/ichor-http/drogon-2.txt'),
  k6: recorded('k6/compact.txt'),
  ab: recorded('ab/recorded/few.txt'),
  h2load: recorded('h2load/http2.txt'),
};
/** What each has printed when it is killed. */
const KILLED = {
  wrk: 'Running 30s test @ http://127.0.0.1:8080/\n  8 threads and 400 connections\n',
  k6: WHOLE.k6.slice(0, WHOLE.k6.indexOf('    http_req_failed')),
  ab: 'This is ApacheBench, Version 9.9 <$Revision: 1 $>\n\nBenchmarking 127.0.0.1 (be patient)\nCompleted 100 requests\n',
  h2load: 'starting benchmark...\nspawning thread #0: 9 total client(s). 9 total requests\nprogress: 10% done\n',
};
const TOOLS = ['wrk', 'k6', 'ab', 'h2load'] as const;

describe('a text that holds several runs', () => {
  it('of k6 before 1.0 is refused, with how many they are', () => {
    expect(() => parseOutput(null, caseText('legacy-two.txt'))).toThrow(several('k6', 2));
  });

  it('of k6 is read as the whole one where the other was aborted', () => {
    const outcome = parseOutput(null, caseText('aborted-then-whole.txt'));
    expect(outcome).toMatchObject({ requests: 900, throughput: 89.99, durationSeconds: 10, connections: 20 });
    expect(outcome.latencyMs).toMatchObject({ mean: 12.1, p50: 9 });
  });

  it('of wrk is read as the whole one where the other was killed', () => {
    expect(parseOutput(null, caseText('wrk-killed-then-whole.txt'))).toMatchObject({
      ...{ requests: 446_969, threads: 2, connections: 100 },
      latencyMs: { mean: 1.16 },
    });
  });

  it.each(TOOLS)('of %s is read as if the killed one, before it or behind it, were not there', (tool) => {
    const alone = parseOutput(tool, WHOLE[tool]);
    expect(parseOutput(null, KILLED[tool] + WHOLE[tool])).toEqual(alone);
    expect(parseOutput(null, `${WHOLE[tool]}\n${KILLED[tool]}`)).toEqual(alone);
  });

  it.each(TOOLS)('of %s is refused where three are whole', (tool) => {
    expect(() => parseOutput(null, `${WHOLE[tool]}\n`.repeat(3))).toThrow(several(tool, 3));
  });

  it('of both forms of k6 is refused, with and without the lines above the summary', () => {
    const [legacy] = caseText('legacy-two.txt').split('\n\n\n');
    expect(() => parseOutput(null, `${WHOLE.k6}\n${legacy}\n`)).toThrow(several('k6', 2));
    expect(() => parseOutput(null, `${legacy}\n${WHOLE.k6}`)).toThrow(several('k6', 2));
    const metrics = (text: string) => text.slice(text.search(/^ +(?:█ TOTAL|checks\.)/m));
    expect(() => parseOutput(null, `${metrics(WHOLE.k6)}\n${metrics(legacy!)}\n`)).toThrow(several('k6', 2));
    expect(() => parseOutput(null, `${metrics(legacy!)}\n${metrics(WHOLE.k6)}`)).toThrow(several('k6', 2));
  });

  it('of k6 whose heads are missing is read as the whole one', () => {
    const text = caseText('aborted-then-whole.txt').replaceAll(/^ +execution: local\n/gm, '');
    expect(parseOutput('k6', text)).toEqual(parseOutput('k6', caseText('aborted-then-whole.txt')));
  });

  it('of k6 is refused where all of them were cut off', () => {
    expect(() => parseOutput(null, KILLED.k6 + KILLED.k6)).toThrow(
      'This holds 2 outputs of k6, and none of them is whole. Give the summary that k6 prints to standard output at its end.',
    );
  });

  it('of k6 as JSON is refused, with how many they are', () => {
    expect(() => parseOutput('k6', recorded('k6/handle-summary.json').trim().concat('\n').repeat(2))).toThrow(
      several('k6', 2),
    );
  });
});

describe('a text in another encoding than UTF-8', () => {
  /** As a program that takes it for UTF-8 reads it. */
  const utf16 = (text: string, isBigEndian: boolean) => {
    const bytes = Buffer.from(`\ufeff${text}`, 'utf16le');
    return (isBigEndian ? bytes.swap16() : bytes).toString('utf8');
  };

  it.each(TOOLS)('of %s is named where it is UTF-16', (tool) => {
    const sentence =
      'This text is encoded as UTF-16, as the > of Windows PowerShell writes it. Give it as UTF-8: iconv -f UTF-16 -t UTF-8 FILE, or in PowerShell: Get-Content FILE | Out-File -Encoding utf8 OTHER.';
    for (const text of [utf16(WHOLE[tool], false), utf16(WHOLE[tool], true), [...WHOLE[tool]].join('\0')]) {
      expect(() => parseOutput(null, text)).toThrow(new UnreadableOutput(sentence));
      expect(() => parseOutput(tool, text)).toThrow(new UnreadableOutput(sentence));
    }
  });

  // ✓, ✗ and µ in UTF-8, as these show their bytes; a console that has none of them prints question marks.
  it.each([
    ['Windows-1252', 'âœ“', 'âœ—', 'Âµ'],
    ['Latin-1', 'â\u009c\u0093', 'â\u009c\u0097', 'Âµ'],
    ['code page 437', 'Γ£ô', 'Γ£ù', '┬╡'],
    ['a console without them', '?', '?', '?'],
    ['a console without them, byte by byte', '???', '???', '??'],
    ['bytes that are no UTF-8', '\ufffd', '\ufffd', '\ufffd'],
  ])('of k6 loses nothing: %s', (_, tick, cross, micro) => {
    const [legacy = ''] = caseText('legacy-two.txt').split('\n\n\n');
    for (const text of [legacy, WHOLE.k6]) {
      const garbled = text.replaceAll('✓', tick).replaceAll('✗', cross).replaceAll('µ', micro);
      expect(garbled).not.toBe(text);
      expect(parseOutput('k6', `${garbled}\n`)).toEqual(parseOutput('k6', `${text}\n`));
    }
    expect(parseOutput('k6', `${legacy}\n`)).toMatchObject({ errors: { failed: 0, checks: 0 }, durationSeconds: 10 });
  });
});
