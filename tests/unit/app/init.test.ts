import { describe, expect, it } from 'vitest';
import { type InitRequest, initialFiles, initText } from '../../../src/app/init.ts';

const GATE = { name: 'benchmark.yml', text: 'on: push\n', what: 'it gates pull requests' };
const server = (name: string) => ({
  path: `${name}/package.json`,
  content: '{"scripts": {"start": "node server.js"}, "dependencies": {"express": "5"}}',
});
const image = { path: 'shop/Dockerfile', content: 'FROM scratch\nEXPOSE 9000\n' };

const textOf = (request: Partial<InitRequest>) =>
  initText(
    initialFiles({
      files: [],
      folderName: 'shop',
      answers: {},
      starters: [],
      isWorkflowThere: false,
      branch: null,
      passedOver: [{ what: 'docs', why: 'it is a link, and links are not followed' }],
      ...request,
    }),
    true,
  );

describe('what init says of a workflow that cannot start a service', () => {
  it('stands behind what it says of the workflow', () => {
    expect(
      textOf({ files: [server('web')], starters: [GATE] }),
    ).toBe(`wrkbench.yml is written: web on port 8080, 1 endpoint.
  A pull request waits about 5 min 40 s in all, without building images.
.github/workflows/benchmark.yml is written: it gates pull requests.
The workflow needs a container: add a Dockerfile for web, or it fails.
Left out:
  docs: it is a link, and links are not followed.
Read it, then: wrkbench validate
`);
  });

  it('names every service that has no image', () => {
    const files = ['a', 'b', 'c'].map(server);
    expect(textOf({ files, starters: [GATE] })).toContain(
      '\nThe workflow needs a container: add a Dockerfile for a, b and c, or it fails.\n',
    );
  });

  it('is said of a workflow that is there already', () => {
    expect(textOf({ files: [server('web')], isWorkflowThere: true })).toContain(
      '\nThe workflow needs a container: add a Dockerfile for web, or it fails.\n',
    );
  });

  it.each([
    ['there is no workflow', { files: [server('web')] }],
    ['every service has an image', { files: [image], starters: [GATE] }],
  ])('is left out where %s', (_, request) => {
    expect(textOf(request)).not.toContain('container');
  });
});

describe('a workflow for several specs', () => {
  const answering = (name: string) => [
    server(name),
    { path: `${name}/server.js`, content: `app.get('/${name}', (_, answer) => answer.json({}));\n` },
  ];
  const called = 'wrkbench/wrkbench/.github/workflows/benchmark.yml';
  it.each([
    ['a branch', `${called}@main`],
    ['a commit with its version beside it', `${called}@${'a'.repeat(40)} # v1.2.3`],
  ])('names all of them, where it names what it calls by %s', (_, uses) => {
    const text = `jobs:\n  measure:\n    uses: ${uses}\n`;
    const { workflows } = initialFiles({
      files: [...answering('a'), ...answering('b')],
      folderName: 'shop',
      answers: {},
      starters: [{ ...GATE, text }],
      isWorkflowThere: false,
      branch: null,
      passedOver: [],
    });
    expect(workflows[0]!.content).toBe(`${text}    with:\n      spec: "wrkbench.*.yml"\n`);
  });
});
