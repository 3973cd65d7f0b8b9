import { describe, expect, it } from 'vitest';
import { eventBaseline } from '../../../src/core/action/event-baseline.ts';

const facts = { event: 'push', ref: 'refs/heads/main', anchor: 'commit:v1.0.0', previousTag: null };

describe('what the event of a workflow compares with', () => {
  it('is the anchor on a schedule', () => {
    expect(eventBaseline({ ...facts, event: 'schedule' })).toBe('commit:v1.0.0');
    expect(eventBaseline({ ...facts, event: 'schedule', anchor: null })).toBeNull();
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
