import { describe, expect, it } from 'vitest';
import { acceptanceOfLabel, acceptancesOfMessage } from '../../../src/core/posting/acceptances.ts';

describe('a label that accepts', () => {
  it.each([
    ['perf-accepted', { cases: '*', metric: null }],
    ['Perf-Accepted', { cases: '*', metric: null }],
    ['perf-accepted: /db/*', { cases: '/db/*', metric: null }],
    ['perf-accepted:/db/*', { cases: '/db/*', metric: null }],
    ['perf-accepted: /db/*:cpu-per-request', { cases: '/db/*', metric: 'cpu-per-request' }],
    ['perf-accepted: /users/:id', { cases: '/users/:id', metric: null }],
    ['perf-accepted: /users/:id:cpu-per-request', { cases: '/users/:id', metric: 'cpu-per-request' }],
    // Names no case, which the report says.
    ['perf-accepted: /db/*:no-such-metric', { cases: '/db/*:no-such-metric', metric: null }],
  ])('%s', (label, accepted) => {
    expect(acceptanceOfLabel(label, '@alice')).toEqual({ ...accepted, reason: 'label set by @alice' });
  });

  it.each(['bug', 'perf-accepted-later', 'not perf-accepted'])('is none: %s', (label) => {
    expect(acceptanceOfLabel(label, 'alice')).toBeNull();
  });
});

describe('lines of a commit message that accept', () => {
  it('are read with their reasons', () => {
    const message = `Add roles

Every user has one.

Perf-Accept: /db/users: one query more, for roles
perf-accept: /ping:cpu-per-request: TLS everywhere: no way around it
Reviewed-by: Bob`;
    expect(acceptancesOfMessage(message)).toEqual([
      { cases: '/db/users', metric: null, reason: 'one query more, for roles' },
      { cases: '/ping', metric: 'cpu-per-request', reason: 'TLS everywhere: no way around it' },
    ]);
  });

  it.each(['Perf-Accept: /db/users', 'Perf-Accept: /db/users:', 'Perf-Accept:', 'See Perf-Accept: a: b'])(
    'are none without cases and a reason: %s',
    (line) => {
      expect(acceptancesOfMessage(line)).toEqual([]);
    },
  );

  it('are read in no time from a message that is made to be slow', () => {
    const started = performance.now();
    expect(acceptancesOfMessage(`Perf-Accept: ${':'.repeat(60_000)}`)).toEqual([]);
    expect(acceptancesOfMessage(`Perf-Accept: ${'a: '.repeat(20_000)}`)).toHaveLength(1);
    expect(performance.now() - started).toBeLessThan(5_000);
  });
});
