import { resolve } from 'node:path';
import { TestbedError, type TestbedRequest } from '../../app/ports/testbed.ts';
import { type NginxPlan, nginxConfiguration, ownNginxConfiguration } from '../../core/topology/nginx.ts';
import { readProjectFile } from '../project/project-file.ts';

export interface GatewayConfiguration {
  /** What nginx is given. */
  of(plan: NginxPlan): string;
  /** Behind the sentence that the gateway gives no answer; empty where its configuration is ours. */
  advice: string;
}

/** Ours, or that of the spec: of the first folder that has it. Rejects with `TestbedError` 'gateway-failed'. */
export async function gatewayConfiguration({
  spec,
  specDirectory,
  gatewayDirectory,
}: Pick<TestbedRequest, 'spec' | 'specDirectory' | 'gatewayDirectory'>): Promise<GatewayConfiguration> {
  const config = spec.gateway?.config;
  if (config === undefined) return { of: nginxConfiguration, advice: '' };
  const first = gatewayDirectory === undefined ? null : await textAt(gatewayDirectory, config);
  const text = first ?? (await textAt(specDirectory, config));
  if (text === null) {
    throw new TestbedError(
      'gateway-failed',
      `The gateway's configuration ${resolve(specDirectory, config)} is not there. Correct gateway.config in the spec; it is relative to the spec file.`,
    );
  }
  return {
    of: (plan) => ownNginxConfiguration(text, plan),
    advice: ` Its configuration is ${config}: it has to listen on \${listen} and to pass requests on to \${upstream}.`,
  };
}

/** What a person writes has far less. */
const MOST_BYTES = 1024 ** 2;

/** Null where there is no such file. What is there and cannot be read must not be taken for another one. */
async function textAt(directory: string, config: string): Promise<string | null> {
  const read = await readProjectFile(directory, config, MOST_BYTES);
  if ('content' in read) return read.content.toString('utf8');
  if (read.problem === null) return null;
  throw new TestbedError(
    'gateway-failed',
    `The gateway's configuration ${resolve(directory, config)} ${read.problem}. Put a file of the repository there, or correct gateway.config in the spec.`,
  );
}
