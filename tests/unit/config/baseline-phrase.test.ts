import { describe, expect, it } from 'vitest';
import { readBaselinePhrase, WRITTEN_ANCHOR, WRITTEN_BASELINE } from '../../../src/core/config/baseline-phrase.ts';
import { readSpec } from '../../../src/core/config/read.ts';
import { UserError } from '../../../src/core/user-error.ts';
import { leastWith } from './specs.ts';

describe('the phrase of a baseline', () => {
  it.each([
    ['auto', { kind: 'auto' }],
    ['stored', { kind: 'stored' }],
    ['none', { kind: 'none' }],
    ['commit:main', { kind: 'commit', ref: 'main' }],
    ['commit:origin/feature/ümlaut', { kind: 'commit', ref: 'origin/feature/ümlaut' }],
    ['commit:HEAD~1', { kind: 'commit', ref: 'HEAD~1' }],
    ['commit:v1.2^{commit}', { kind: 'commit', ref: 'v1.2^{commit}' }],
    ['commit:@{upstream}', { kind: 'commit', ref: '@{upstream}' }],
    ['image:acme/api:1.2', { kind: 'image', service: null, reference: 'acme/api:1.2' }],
    [
      `image:localhost:5000/api@sha256:${'a'.repeat(64)}`,
      { kind: 'image', service: null, reference: `localhost:5000/api@sha256:${'a'.repeat(64)}` },
    ],
    ['image:go=acme/api:1.2', { kind: 'image', service: 'go', reference: 'acme/api:1.2' }],
    ['record:runs/last', { kind: 'record', path: 'runs/last' }],
    ['record:/var/runs/a b/run.json', { kind: 'record', path: '/var/runs/a b/run.json' }],
    ['record:../old', { kind: 'record', path: '../old' }],
  ])('%s', (text, phrase) => {
    expect(readBaselinePhrase(text)).toEqual(phrase);
  });

  const FORMS = 'expected auto, stored, none, image:REFERENCE, commit:REF or record:PATH.';
  it.each([
    ['', `The baseline is \`\`: ${FORMS}`],
    ['main', `The baseline is \`main\`: ${FORMS} Did you mean commit:main?`],
    ['old/run.json', `The baseline is \`old/run.json\`: ${FORMS} Did you mean record:old/run.json?`],
    ['./old', `The baseline is \`./old\`: ${FORMS} Did you mean record:./old?`],
    ['commit:', `The baseline is \`commit:\`: ${FORMS}`],
    ['commit:--upload-pack=x', `The baseline is \`commit:--upload-pack=x\`: ${FORMS}`],
    ['commit:^main', `The baseline is \`commit:^main\`: ${FORMS}`],
    ['commit:main:secret.txt', `The baseline is \`commit:main:secret.txt\`: ${FORMS}`],
    ['commit:my branch', `The baseline is \`commit:my branch\`: ${FORMS}`],
    ['image:-it', `The baseline is \`image:-it\`: ${FORMS}`],
    ['image:go=--privileged', `The baseline is \`image:go=--privileged\`: ${FORMS}`],
    ['record:-', `The baseline is \`record:-\`: ${FORMS}`],
    ['commit:a\u001b[31m', `The baseline is \`commit:a?[31m\`: ${FORMS}`],
    ['x'.repeat(500), `The baseline is \`${'x'.repeat(79)}…\`: ${FORMS}`],
  ])('is refused: %j', (text, message) => {
    expect(() => readBaselinePhrase(text)).toThrow(new UserError(message));
  });

  it('of a spec names a record inside its folder only', () => {
    const written = ['record:old', 'record:/old', 'record:../old', 'record:a/../../old'];
    expect(written.map((text) => WRITTEN_BASELINE.test(text))).toEqual([true, false, false, false]);
  });

  it('of an anchor is something fixed', () => {
    const phrases = ['commit:v1.0', 'image:acme/api:1', 'record:v1', 'auto', 'stored', 'none'];
    expect(phrases.map((text) => WRITTEN_ANCHOR.test(text))).toEqual([true, true, true, false, false, false]);
    const spec = (more: string) => readSpec(leastWith(more), 'wrkbench.yml');
    expect(spec('gate: {anchor: "commit:v1.0"}').gate).toMatchObject({ baseline: 'auto', anchor: 'commit:v1.0' });
    expect(spec('gate: {baseline: none}').gate).not.toHaveProperty('anchor');
  });
});
