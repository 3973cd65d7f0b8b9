import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { bySeverity } from '../../../src/core/posting/verdict.ts';

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
