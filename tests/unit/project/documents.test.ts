import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { renderDiagnostics } from '../../../src/core/config/diagnostics.ts';
import { GENERATOR_NAMES } from '../../../src/core/generators/registry.ts';
import { bySeverity } from '../../../src/core/posting/verdict.ts';
import { diagnosticsOf } from '../config/specs.ts';

it('the threat model names no test that is not there', () => {
  const files = readdirSync('tests', { recursive: true, encoding: 'utf8' }).map((file) => `/${file}`);
  const text = readFileSync('docs/threat-model.md', 'utf8');
  const named = [...text.matchAll(/`([\w./-]+\.test\.ts)`/g)].map(([, name]) => name!);
  expect(named.length).toBeGreaterThan(10);
  expect(named.filter((name) => !files.some((file) => file.endsWith(`/${name}`)))).toEqual([]);
});

it('the glossary has each verdict of a run, the most severe first', () => {
  const row = readFileSync('docs/glossary.md', 'utf8')
    .split('\n')
    .find((line) => line.startsWith('| **verdict of a run** |'))!;
  const words = [...row.matchAll(/`([a-z-]+)`/g)].map(([, word]) => word!);
  expect(words).toEqual(['verdict', ...bySeverity]);
});

it('the reference of the spec shows a mistake as it is shown', () => {
  const example = /^wrkbench\.yml:18:\d+: [^`]*`[\s\S]*?(?=\n```)/m.exec(readFileSync('docs/spec.md', 'utf8'))![0];
  const source = / 18 \| (.*)$/m.exec(example)![1]!;
  const text = `${'\n'.repeat(16)}load:\n${source}\n`;
  const mistakes = diagnosticsOf(text).filter(({ line }) => line === 18);
  expect(renderDiagnostics(mistakes, text).trimEnd()).toBe(example);
});

it('the page on services names the variable of each generator', () => {
  const text = readFileSync('docs/services.md', 'utf8');
  const variables = GENERATOR_NAMES.map((name) => `\`WRKBENCH_${name.toUpperCase()}\``);
  expect(variables.filter((variable) => !text.includes(variable))).toEqual([]);
});
