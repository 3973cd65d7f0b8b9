import { describe, expect, it } from 'vitest';
import { type SideIdentity, sameOnBothSides as sameOfServices } from '../../../src/core/baseline/identity.ts';
import { readSpec } from '../../../src/core/config/read.ts';
import { DIGEST, IMAGE_ID } from './records.ts';

const TEXT = `name: api
services: {go: {build: ., command: [./go], port: 80, env: {A: "1", B: "2"}}}
database: {init: [a.sql, b.sql]}
endpoints: {ping: /ping}
load: {wrk: {connections: [10]}}
`;
const OTHER_ID = `sha256:${'3'.repeat(64)}`;

function side(changes: Partial<SideIdentity> = {}, text = TEXT): SideIdentity {
  const spec = readSpec(text, 'wrkbench.yml');
  return { spec, artifacts: { go: [IMAGE_ID] }, init: ['hash a', 'hash b'], tree: null, ...changes };
}

const sameOnBothSides = (baseline: SideIdentity, candidate: SideIdentity) =>
  sameOfServices(baseline, candidate, ['go']);

const changedSpec = (from: string, to: string) => side({}, TEXT.replace(from, to));

describe('two sides of containers', () => {
  it('are the same with the same images, spec and init', () => {
    expect(sameOnBothSides(side(), side())).toEqual({
      code: 'same-on-both-sides',
      message: 'Not measured: both sides have the same images, the same spec and the same init files.',
    });
  });

  it.each([
    ['the image comes from elsewhere', side({ artifacts: { go: [`${IMAGE_ID} ${DIGEST}`] } })],
    ['the build is another one', changedSpec('build: .', 'image: acme/go')],
    ['keys stand in another order', changedSpec('A: "1", B: "2"', 'B: "2", A: "1"')],
    ['limits differ', side({}, `${TEXT}gate: {throughput: {max-decrease: 1%}}\n`)],
  ])('are the same where only %s', (_title, other) => {
    expect(sameOnBothSides(other, side())).not.toBeNull();
  });

  it.each([
    ['another image', side({ artifacts: { go: [OTHER_ID] } })],
    ['no image', side({ artifacts: {} })],
    ['another environment', changedSpec('A: "1"', 'A: "2"')],
    ['another command', changedSpec('./go', './go2')],
    ['another database', changedSpec('database: {', 'database: {image: "postgres:17", ')],
    ['other init files', changedSpec('a.sql, b.sql', 'b.sql, a.sql')],
    ['other contents of init files', side({ init: ['hash a', 'hash c'] })],
    ['init files that cannot be read', side({ init: null })],
    ['another endpoint', changedSpec('/ping', '/pong')],
    ['another load', changedSpec('[10]', '[20]')],
    ['a gateway', side({}, `${TEXT}gateway: nginx\n`)],
    ['another service beside it', changedSpec('services: {', 'services: {rust: {image: x, port: 80}, ')],
  ])('differ with %s', (_title, other) => {
    expect(sameOnBothSides(other, side())).toBeNull();
    expect(sameOnBothSides(side(), other)).toBeNull();
  });

  it('are the same beside a reference and beside services that this run leaves out', () => {
    const more = TEXT.replace(
      'services: {',
      'services: {nginx: {image: n, port: 80, role: reference}, b: {image: b, port: 80}, ',
    );
    expect(sameOnBothSides(side({}, more), side({}, more))).not.toBeNull();
    const ofBoth = { go: [IMAGE_ID], b: [IMAGE_ID] };
    expect(
      sameOfServices(side({ artifacts: ofBoth }, more), side({ artifacts: ofBoth }, more), ['go', 'b']),
    ).not.toBeNull();
    expect(sameOfServices(side({}, more), side({ artifacts: ofBoth }, more), ['go', 'b'])).toBeNull();
    expect(sameOfServices(side({}, more), side({}, more), [])).toBeNull();
  });

  it('are the same only with the same image of every build', () => {
    const of = (...ids: string[]) => side({ artifacts: { go: ids } });
    expect(sameOnBothSides(of(IMAGE_ID, OTHER_ID), of(IMAGE_ID, OTHER_ID))).not.toBeNull();
    expect(sameOnBothSides(of(IMAGE_ID, OTHER_ID), of(IMAGE_ID, `sha256:${'4'.repeat(64)}`))).toBeNull();
    expect(sameOnBothSides(of(IMAGE_ID), of(IMAGE_ID, OTHER_ID))).toBeNull();
    expect(sameOnBothSides(of(IMAGE_ID, OTHER_ID), of(IMAGE_ID))).toBeNull();
  });

  it('are not the same for the same tree alone', () => {
    const tree = 'f'.repeat(40);
    expect(sameOnBothSides(side({ tree, artifacts: { go: [OTHER_ID] } }), side({ tree }))).toBeNull();
  });
});

describe('two sides of processes', () => {
  const process = (tree: string | null) => side({ artifacts: { go: ['./go'] }, tree });

  it('are the same with the same clean tree', () => {
    expect(sameOnBothSides(process('f'.repeat(40)), process('f'.repeat(40)))).toEqual({
      code: 'same-on-both-sides',
      message: 'Not measured: both sides have the same files, the same spec and the same init files.',
    });
  });

  it('differ with another tree, and with one that was changed', () => {
    expect(sameOnBothSides(process('f'.repeat(40)), process('e'.repeat(40)))).toBeNull();
    expect(sameOnBothSides(process('f'.repeat(40)), process(null))).toBeNull();
    expect(sameOnBothSides(process(null), process(null))).toBeNull();
  });
});
