import { describe, expect, it } from 'vitest';
import { validateSpec } from '../../../src/app/validate.ts';
import { readSpec } from '../../../src/core/config/read.ts';
import { groupedLeftOut } from '../../../src/core/detection/left-out.ts';
import { proposal } from '../../../src/core/detection/proposal.ts';
import { scalar } from '../../../src/core/detection/spec-text.ts';

const proposed = (files: Record<string, string>) => {
  const { specs, leftOut } = proposal(
    Object.entries(files).map(([path, content]) => ({ path, content })),
    { folderName: 'shop', isSecret: () => false },
  );
  const [{ content, path }] = specs as [(typeof specs)[number]];
  return { validation: validateSpec(content, path).text, content, leftOut: groupedLeftOut(leftOut) };
};
const composeWith = (line: string) => ({
  Dockerfile: 'FROM node:24\nEXPOSE 3000\n',
  'compose.yml': `services:\n  web:\n    build: .\n    ports: ["3000:3000"]\n    ${line}\n`,
});
const VALID = /^wrkbench\.yml is valid: /;

describe('what no spec can hold', () => {
  it.each(['"--por\\0t"', '"--por\\ud800t"', '"--por\ufffdt"'])('a command with the word %s', (word) => {
    const { validation, content, leftOut } = proposed(composeWith(`command: [node, server.js, ${word}]`));

    expect(validation).toMatch(VALID);
    expect(content).not.toContain('command:');
    expect(leftOut).toEqual([
      {
        what: 'the command of web (compose.yml)',
        why: 'its command has a word that no spec can hold: one with NUL or half of a character, or one that is too long',
      },
    ]);
  });

  it('a command of 300 words', () => {
    const { validation, leftOut } = proposed(composeWith(`command: [${'a, '.repeat(299)}a]`));

    expect(validation).toMatch(VALID);
    expect(leftOut.map(({ why }) => why)).toEqual(['its command has 300 words, and a spec takes 1 to 256']);
  });

  it.each(['"a\\0b"', '"a\\ud800b"'])('a variable with the value %s', (value) => {
    const { validation, leftOut } = proposed(composeWith(`environment: {GREETING: ${value}}`));

    expect(validation).toMatch(VALID);
    expect(leftOut).toEqual([{ what: 'GREETING of web (compose.yml)', why: 'no spec can hold its value on one line' }]);
  });

  it('more variables than are enough for a first spec', () => {
    const variables = Array.from({ length: 5_000 }, (_, index) => `      V${index}: x`).join('\n');
    const { validation, content, leftOut } = proposed(composeWith(`environment:\n${variables}`));

    expect(validation).toMatch(VALID);
    expect(content.match(/^ {6}V\d+:/gm)).toHaveLength(200);
    expect(leftOut).toEqual([
      { what: 'others of web (compose.yml)', why: '200 variables are enough for a first spec' },
    ]);
  });

  it('a service in a folder that a spec cannot name', () => {
    const { validation, leftOut } = proposed({
      ...{
        'api/package.json': '{"scripts": {"start": "node a.js"}}',
        'a\\b/package.json': '{"scripts": {"start": "x"}}',
      },
    });

    expect(validation).toMatch(VALID);
    expect(leftOut).toContainEqual({ what: 'a-b (a\\b/package.json)', why: 'a spec cannot name its folder' });
  });

  it('a header that the generators write themselves', () => {
    const { validation, content } = proposed({
      Dockerfile: 'EXPOSE 80',
      'openapi.yaml':
        'paths: {/a: {get: {parameters: [{name: Connection, in: header, required: true, example: close}, {name: X-A, in: header, required: true, example: b}]}}}',
    });

    expect(validation).toMatch(VALID);
    expect(content).toContain('headers: {x-a: b}');
  });

  it('a file name that reads as a placeholder stands as it is', () => {
    const { content } = proposed({
      'package.json': '{"main": "${x}.js", "dependencies": {"express": "5"}}',
      '${x}.js': '',
    });

    expect(readSpec(content, 'wrkbench.yml').services[0]!.command).toEqual(['node', '$${x}.js']);
  });
});

describe('a map where a text is expected', () => {
  it.each(['depends_on: [{toString: 1}]', 'command: [node, {toString: 1}]', 'environment: {A: {toString: 1}}'])(
    'is nothing: %s',
    (line) => {
      expect(proposed(composeWith(line)).validation).toMatch(VALID);
    },
  );
});

describe('a value in a spec', () => {
  it.each([
    ['a\ufeffb', '"a\\ufeffb"'],
    ['a\u202eb', '"a\\u202eb"'],
    ['a\u2028b', '"a\\u2028b"'],
    ['a\u{e0041}b', '"a\\U000e0041b"'],
    ['café 漢', '"café 漢"'],
  ])('shows what is not seen: %j', (text, written) => {
    expect(scalar(text)).toBe(written);
  });
});
