import { describe, expect, it } from 'vitest';
import { toldAccounts } from '../../../src/core/detection/told-accounts.ts';

const told = (content: string) => toldAccounts([{ path: 'README.md', content }]);

describe('the accounts that a README tells of', () => {
  it.each([
    ['It makes a user with username **ann** and password **s3cret**.', 'ann', 's3cret'],
    ['Log in with the username `ann` and password `s3cret`, then go on.', 'ann', 's3cret'],
    ['There is a default `ann` account with password\n`s3cret-for-all`.', 'ann', 's3cret-for-all'],
    ['- Email: ann@example.com\n- Password: s3cret', 'ann@example.com', 's3cret'],
    ['Default login: `ann:s3cret`', 'ann', 's3cret'],
    ['Use the demo credentials (ann / s3cret).', 'ann', 's3cret'],
  ])('are read: %s', (text, user, password) => {
    expect(told(text)).toEqual([{ user, password, from: 'README.md' }]);
  });

  it.each([
    'Sign in by email, password or a key.',
    'Set POSTGRES_USER=postgres and POSTGRES_PASSWORD=postgres.',
    'Replace username: `your-name` and password: `your-password`.',
    'A login link for the email, and a password reset.',
  ])('are none: %s', (text) => {
    expect(told(text)).toEqual([]);
  });

  it('are each named once', () => {
    expect(told('username `ann`, password `s3cret`\n\nusername: ann\npassword: s3cret')).toHaveLength(1);
  });
});
