import { dockerfileOf } from '../core/config/build-by-hand.ts';
import type { ResolvedSpec } from '../core/config/resolved.ts';
import { type BuildKitNeed, buildKitFinding, composeFinding } from '../core/doctor/builder.ts';
import { dockerfileNeeds } from '../core/doctor/dockerfile-needs.ts';
import type { MachineFacts } from '../core/doctor/facts.ts';
import type { Finding } from '../core/doctor/finding.ts';
import { type BuildNeed, containersOf, type ImageNeed, imageFindings, USUAL_IMAGE } from '../core/doctor/images.ts';
import { pluginInstallation } from '../core/doctor/installation.ts';
import type { Plan } from '../core/plan/plan.ts';
import type { CheckoutFiles } from './ports/checkout-files.ts';
import type { ContainerFacts } from './ports/containers.ts';

/** What a spec's containers are made from, held against the engine: images, and what its Dockerfiles ask of a builder. */
export async function containerFindings(
  spec: ResolvedSpec,
  plan: Plan,
  machine: MachineFacts,
  { engine, files }: { engine: ContainerFacts; files: Pick<CheckoutFiles, 'text'> },
): Promise<Finding[]> {
  const services = plan.services.map(({ service }) => service);
  const { images, builds } = containersOf(spec, services);
  const read = await Promise.all(builds.map((build) => readBuild(build, files)));
  const needs = [...images, ...read.flatMap(({ bases }) => bases)];
  const buildKit = read.flatMap((each) => each.buildKit);
  const [facts, buildx] = await Promise.all([
    engine.images([...new Set(needs.map(({ reference }) => reference))]),
    buildKit.length === 0 ? null : engine.plugin('buildx'),
  ]);
  const builder = buildKitFinding(buildKit, buildx, pluginInstallation(machine, 'buildx'));
  return [...imageFindings(needs, facts), ...(builder === null ? [] : [builder])];
}

/** The same where there is no spec yet: what most specs take, and what `init` reads with. */
export async function usualContainerFindings(machine: MachineFacts, engine: ContainerFacts): Promise<Finding[]> {
  const [facts, compose] = await Promise.all([engine.images([USUAL_IMAGE.reference]), engine.plugin('compose')]);
  return [...imageFindings([USUAL_IMAGE], facts), composeFinding(compose, pluginInstallation(machine, 'compose'))];
}

interface ReadBuild {
  bases: ImageNeed[];
  buildKit: BuildKitNeed[];
}

/** Nothing of a Dockerfile that is not there, which is told as such. */
async function readBuild(
  { source, whose, optional }: BuildNeed,
  files: Pick<CheckoutFiles, 'text'>,
): Promise<ReadBuild> {
  const dockerfile = dockerfileOf(source);
  const text = await files.text(dockerfile);
  const bySpec = source.secrets === undefined ? null : '`secrets` of its build';
  const asked = (what: string, of: Pick<BuildKitNeed, 'dockerfile' | 'isPassedOver'>) => ({
    ...{ whose, what, optional },
    ...of,
  });
  const ofSpec = bySpec === null ? [] : [asked(bySpec, { dockerfile: null, isPassedOver: false })];
  if (text === null) return { bases: [], buildKit: ofSpec };
  const { bases, buildKit, namesSyntax } = dockerfileNeeds(text, source.args);
  const ofFile =
    buildKit !== null
      ? [asked(buildKit, { dockerfile, isPassedOver: false })]
      : namesSyntax
        ? [asked('# syntax', { dockerfile, isPassedOver: true })]
        : [];
  return {
    bases: bases.map((reference) => ({ reference, whose: `the build of ${whose}`, optional })),
    buildKit: [...ofSpec, ...ofFile],
  };
}
