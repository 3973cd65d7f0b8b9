import { describe, expect, it } from 'vitest';
import { answerShown } from '../../../src/core/record/answer-shown.ts';

function shown(body: string, secrets: string[] = []): string {
  const bytes = new TextEncoder().encode(body);
  return answerShown({ kind: 'answered', status: 200, headers: {}, body: bytes, wireBytes: 0 }, secrets);
}

describe('the answer to a login, as an error shows it', () => {
  it('has the words that say what is wrong', () => {
    expect(shown('{"error": "invalid_grant", "message": "Wrong user or secret word"}')).toBe(
      'body: "{\\"error\\": \\"invalid_grant\\", \\"message\\": \\"Wrong user or secret word\\"}"',
    );
  });

  it.each([
    '{"accessToken": "plainword"}',
    '{"data": {"x": "9f8e7d6c5b4a"}}',
    '{"ticket": "abcdefghijklmnopqrstuvwxyzabc"}',
    '<input name="csrf" value="IjRhZGU3NmM5ZmQ4">',
    'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln',
  ])('has nothing in it that may be a token: %s', (body) => {
    expect(shown(body)).toContain('[redacted]');
    expect(shown(body)).not.toMatch(/plainword|9f8e|abcdefghij|IjRh|eyJ|c2ln/);
  });

  it('has none of the values that are known', () => {
    expect(shown('hello sesame', ['sesame'])).toBe('body: "hello [redacted]"');
  });

  it('is cut, and shows what a terminal would obey', () => {
    expect(shown('x \u001b[2J '.repeat(2000)).length).toBeLessThan(700);
    expect(shown('\u001b[2J')).toBe('body: "\\u001b[2J"');
    expect(shown(' \n')).toBe('an empty body');
  });
});
