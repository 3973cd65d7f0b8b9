import { describe, expect, it } from 'vitest';
import { withFirstAccount } from '../../../src/core/detection/first-account.ts';

const given = (values: Record<string, string>) =>
  Object.fromEntries(
    withFirstAccount(Object.entries(values).map(([name, value]) => ({ name, value, from: '.env.sample' }))).map(
      ({ name, value }) => [name, value],
    ),
  );

describe('the first account of a server', () => {
  it.each([
    [
      { LD_SUPERUSER_NAME: '', LD_SUPERUSER_PASSWORD: '' },
      { LD_SUPERUSER_NAME: 'admin', LD_SUPERUSER_PASSWORD: 'made-up-value-for-measuring-only' },
    ],
    [
      { ADMIN_EMAIL: '', ADMIN_PASSWORD: '' },
      { ADMIN_EMAIL: 'admin@example.com', ADMIN_PASSWORD: 'made-up-value-for-measuring-only' },
    ],
    // What a file has a value for stays, and a password of nobody is not one that a server makes somebody with.
    [
      { ADMIN_USER: 'root', ADMIN_PASSWORD: '' },
      { ADMIN_USER: 'root', ADMIN_PASSWORD: '' },
    ],
    [{ ADMIN_PASSWORD: '' }, { ADMIN_PASSWORD: '' }],
    [
      { SMTP_USER: '', SMTP_PASSWORD: '' },
      { SMTP_USER: '', SMTP_PASSWORD: '' },
    ],
  ])('is made up where the example leaves it open: %j', (values, expected) => {
    expect(given(values)).toEqual(expected);
  });
});
