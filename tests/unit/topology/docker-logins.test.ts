import { describe, expect, it } from 'vitest';
import {
  configWith,
  configWithoutLogins,
  hasLogin,
  onlyLogins,
  passwordsIn,
} from '../../../src/core/topology/docker-logins.ts';

const auth = (text: string) => Buffer.from(text).toString('base64');
const file = (config: object) => JSON.stringify(config);
const bot = { registry: 'ghcr.io', username: 'bot', password: 'pä:ss' };

describe('a configuration with logins', () => {
  it('has them in place of its own for the same registry, and all else', () => {
    const auths = { 'ghcr.io': { auth: auth('me:old') }, 'quay.io': { auth: auth('me:quay') } };
    const text = file({ currentContext: 'there', auths });
    expect(JSON.parse(configWith(text, [bot, { ...bot, registry: 'docker.io' }]))).toEqual({
      currentContext: 'there',
      auths: {
        'ghcr.io': { auth: auth('bot:pä:ss') },
        'quay.io': { auth: auth('me:quay') },
        'https://index.docker.io/v1/': { auth: auth('bot:pä:ss') },
      },
    });
  });

  it('asks no helper for them, and its helpers for all others', () => {
    const text = file({ credsStore: 'desktop', credHelpers: { 'ghcr.io': 'gh', 'x.amazonaws.com': 'ecr-login' } });
    expect(JSON.parse(configWith(text, [bot]))).toEqual({
      credsStore: 'desktop',
      credHelpers: { 'ghcr.io': '', 'x.amazonaws.com': 'ecr-login' },
      auths: { 'ghcr.io': { auth: auth('bot:pä:ss') } },
    });
  });

  it.each(['', 'no JSON', '[]', 'null', '{"auths": 7}'])('is of them alone where there was %j', (text) => {
    expect(JSON.parse(configWith(text, [bot]))).toEqual({ auths: { 'ghcr.io': { auth: auth('bot:pä:ss') } } });
  });
});

describe('a configuration without logins', () => {
  it('keeps what is none, and leaves the command no helper to find', () => {
    const auths = { 'ghcr.io': { auth: auth('me:old') } };
    const text = file({ currentContext: 'there', proxies: {}, credsStore: 'desktop', credHelpers: { a: 'b' }, auths });
    expect(JSON.parse(configWithoutLogins(text))).toEqual({
      currentContext: 'there',
      proxies: {},
      credHelpers: { 'registry.invalid': '' },
    });
  });
});

describe('the logins of a configuration', () => {
  const auths = {
    'https://index.docker.io/v1/': {},
    'https://quay.io/v2/': { auth: auth('me:quay:word') },
    'acr.io': { auth: auth('00:'), identitytoken: 'token-of-azure' },
  };
  const text = file({ currentContext: 'there', credHelpers: { 'gcr.io': 'gcloud', 'ghcr.io': '' }, auths });

  it('are those of its entries, of its helpers, and of what a store has left an entry of', () => {
    const known = ['docker.io', 'quay.io', 'acr.io', 'gcr.io'];
    expect([...known, 'ghcr.io', 'other.io'].filter((registry) => hasLogin(text, registry))).toEqual(known);
  });

  it('are handed on where they stand in it themselves, and nothing else is', () => {
    const { 'https://index.docker.io/v1/': _, ...own } = auths;
    expect(JSON.parse(onlyLogins(text)!)).toEqual({ auths: own });
    expect([onlyLogins(''), onlyLogins(file({ credsStore: 'desktop', auths: { 'ghcr.io': {} } }))]).toEqual([
      null,
      null,
    ]);
  });

  it('have passwords, also as the file holds them', () => {
    expect(passwordsIn(text)).toEqual([auth('me:quay:word'), 'quay:word', auth('00:'), 'token-of-azure']);
    expect(passwordsIn(file({ auths: { a: { auth: '%%%' }, b: { auth: 7 }, c: 'x' } }))).toEqual(['%%%']);
  });
});
