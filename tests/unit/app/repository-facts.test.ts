import { describe, expect, it } from 'vitest';
import { repositoryFacts } from '../../../src/app/repository-facts.ts';
import type { ComposeSource } from '../../../src/core/detection/compose-source.ts';

const asked = async (files: Record<string, string>, checkout: string[] | null = null) => {
  const sources: ComposeSource[] = [];
  const all = Object.entries(files).map(([path, content]) => ({ path, content }));
  const facts = await repositoryFacts(all, checkout, {
    async read(source) {
      sources.push(source);
      return source.folder === 'b' ? null : { file: source.files[0]!, root: '/r', json: '{}' };
    },
  });
  return { sources, facts };
};

describe('what others know of a repository', () => {
  it('is each of its compose files as Compose reads it, with its override and its variables', async () => {
    const { sources, facts } = await asked(
      {
        'compose.yml': 'services: {a: {image: "x:${TAG}-${LEVEL}-${OTHER:-1}"}}',
        'compose.override.yml': 'services: {a: {command: "${MODE}"}}',
        '.env': 'LEVEL=2\n',
        '.env.example': 'LEVEL=1\nMODE=fast\n',
        'b/docker-compose.yml': 'services: {a: {image: x}}',
      },
      ['.env'],
    );
    expect(sources.map(({ files }) => files)).toEqual([
      ['compose.yml', 'compose.override.yml'],
      ['b/docker-compose.yml'],
    ]);
    expect(Object.fromEntries(sources[0]!.variables)).toEqual({ TAG: 'WRKBENCH_NO_VALUE', LEVEL: '2', MODE: 'fast' });
    expect(facts).toEqual({ compose: [{ file: 'compose.yml', root: '/r', json: '{}' }], checkout: ['.env'] });
  });

  it('takes no variables from a file of this machine', async () => {
    const { sources } = await asked({ 'compose.yml': 'services: {a: {image: "${TAG}"}}', '.env': 'TAG=secret\n' });
    expect(Object.fromEntries(sources[0]!.variables)).toEqual({ TAG: 'WRKBENCH_NO_VALUE' });
  });

  it.each([
    'services: {a: {extends: {file: ../../base.yml, service: b}}}',
    'services: {a: {extends: {file: /etc/base.yml, service: b}}}',
    'include: [{path: [../x.yml]}]\nservices: {a: {image: x}}',
    'include: [oci://registry.test/x]\nservices: {a: {image: x}}',
  ])('has Compose read no file outside of it: %s', async (content) => {
    expect((await asked({ 'compose.yml': content })).sources).toEqual([]);
  });
});
