import { describe, expect, it } from 'vitest';
import { eventBaseline, measuresTheSame } from '../../../src/core/action/event-baseline.ts';

const facts = { event: 'push', ref: 'refs/heads/main', previousTag: null };

describe('what the event of a workflow compares with', () => {
  it('is what the spec says on a schedule: an anchor does not gate', () => {
    expect(eventBaseline({ ...facts, event: 'schedule' })).toBeNull();
  });

  it('is the tag before for a release, and for a tag that is pushed', () => {
    const tagged = { ...facts, ref: 'refs/tags/v1.5.0', previousTag: 'v1.4.0' };
    expect(eventBaseline({ ...tagged, event: 'release' })).toBe('commit:v1.4.0');
    expect(eventBaseline(tagged)).toBe('commit:v1.4.0');
    expect(eventBaseline({ ...tagged, previousTag: null })).toBeNull();
  });

  it('is what the spec says for all else', () => {
    expect(eventBaseline(facts)).toBeNull();
    expect(eventBaseline({ ...facts, event: 'pull_request' })).toBeNull();
    expect(eventBaseline({ ...facts, event: 'workflow_dispatch' })).toBeNull();
  });
});

describe('what is the same on both sides', () => {
  it('is measured on a schedule where there is an anchor to compare with as well', () => {
    const asked = (event: string, anchor: string | null) => measuresTheSame({ event, anchor });
    expect(asked('schedule', 'commit:v1.0.0')).toBe(true);
    expect(asked('schedule', null)).toBe(false);
    expect(asked('push', 'commit:v1.0.0')).toBe(false);
  });
});
