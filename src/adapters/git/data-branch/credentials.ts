import type { DataBranchOptions } from './options.ts';

/**
 * What lets git in. Through its environment: what stands in arguments every process of the machine can read, and what
 * stands in a configuration file stays there. The header is sent to the server of the address alone.
 */
export function tokenEnvironment({
  remote,
  token,
}: Pick<DataBranchOptions, 'remote' | 'token'>): Record<string, string> {
  if (token === null || !/^https?:\/\//i.test(remote)) return {};
  const { origin } = new URL(remote);
  const basic = Buffer.from(`x-access-token:${token}`, 'utf8').toString('base64');
  return {
    GIT_CONFIG_COUNT: '1',
    GIT_CONFIG_KEY_0: `http.${origin}/.extraHeader`,
    GIT_CONFIG_VALUE_0: `Authorization: Basic ${basic}`,
  };
}
