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

  it('are those of a seed too, whose password may only be hashed there', () => {
    const seeded = (path: string, content: string) => toldAccounts([{ path, content }]);
    const nest = `const password = await bcrypt.hash('secret', salt);
      await this.repository.save(this.repository.create({ firstName: 'Ann', email: 'ann@example.com', password }));`;
    const account = { user: 'ann@example.com', password: 'secret' };
    expect(seeded('src/seeds/user-seed.service.ts', nest)).toEqual([
      { ...account, from: 'src/seeds/user-seed.service.ts' },
    ]);
    expect(seeded('prisma/seed.ts', `create({ email: "ann@example.com", password: hashSync('secret', 10) })`)).toEqual([
      { ...account, from: 'prisma/seed.ts' },
    ]);
    const python = 'User(email="ann@example.com", hashed_password=get_password_hash("secret"))\n';
    expect(seeded('app/db_seed.py', python)).toEqual([{ ...account, from: 'app/db_seed.py' }]);
    expect(seeded('src/users.ts', nest)).toEqual([]);
    expect(seeded('seed.ts', "{ email: 'a@b.test', password: '$2b$10$abcdefghijklmnopqrstuv' }")).toEqual([]);
    expect(seeded('seed.ts', `{ email: 'a@b.test' }${' '.repeat(700)}{ password: 'of-another' }`)).toEqual([]);
  });

  it('are each named once', () => {
    expect(told('username `ann`, password `s3cret`\n\nusername: ann\npassword: s3cret')).toHaveLength(1);
  });
});
