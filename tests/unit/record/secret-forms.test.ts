import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { encodedForms } from '../../../src/core/record/secret-forms.ts';
import { withoutSecrets } from '../../../src/core/record/secrets.ts';

const secret = 's3cr3t/p+ss w"rd-é';
const hidden = (text: string) => withoutSecrets(text, encodedForms(secret));

describe('a secret that a server prints encoded', () => {
  it.each([
    ['for a URL', encodeURIComponent(secret)],
    ['as a form', new URLSearchParams({ password: secret }).toString().slice('password='.length)],
    ['in JSON', JSON.stringify(secret).slice(1, -1)],
    ['in hexadecimal', Buffer.from(secret).toString('hex')],
    ['in capitals', Buffer.from(secret).toString('hex').toUpperCase()],
  ])('%s is left out', (_, encoded) => {
    expect(hidden(`value=${encoded};`)).toBe('value=[redacted];');
  });

  it('in base64 is left out but for the letters that it shares with its neighbours, wherever it stands', () => {
    for (const before of ['', 'u', 'me', 'user:', 'a long name of somebody:']) {
      for (const encoding of ['base64', 'base64url'] as const) {
        const text = Buffer.from(`${before}${secret}!`).toString(encoding);
        const kept = hidden(text);
        expect(kept).toContain('[redacted]');
        const own = Buffer.from(secret).toString(encoding).slice(4, 12);
        expect(kept).not.toContain(own);
        expect(kept.replace('[redacted]', '').length).toBeLessThan(Math.ceil((before.length * 8) / 6) + 8);
      }
    }
  });

  it('is found whatever it is', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 8, maxLength: 60, unit: 'grapheme' }), fc.nat(5), (own, before) => {
        const text = Buffer.from(`${'x'.repeat(before)}${own}`).toString('base64');
        expect(withoutSecrets(text, encodedForms(own))).toContain('[redacted]');
      }),
    );
  });

  it('leaves out nothing that is short', () => {
    expect(encodedForms('abcdef').every((form) => form.length >= 8)).toBe(true);
  });
});
