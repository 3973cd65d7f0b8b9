import { dirname } from 'node:path';
import { baselineSide } from '../../core/baseline/sides.ts';
import type { BaselinePhrase } from '../../core/config/baseline-phrase.ts';
import type { Reason } from '../../core/measurement/names.ts';
import { UserError } from '../../core/user-error.ts';
import type { BuiltBaseline } from './baseline-plan.ts';
import type { Context } from './candidate.ts';
import { identityCheck } from './identity-check.ts';

/** The candidate's spec with another image for one service. Throws `UserError` where that is no service of it. */
export function baselineOfImage(
  context: Context,
  { service: named, reference }: Extract<BaselinePhrase, { kind: 'image' }>,
): BuiltBaseline {
  const { request, candidateOrigin, governing } = context;
  if (request.runtime === 'process') {
    throw new UserError(
      `The baseline image:${reference} needs a container engine, and this run starts processes. Use --runtime docker, or --baseline commit:REF`,
    );
  }
  const name = serviceNamed(context, named, reference);
  const others = request.spec.services.filter((service) => service.role === 'subject' && service.name !== name);
  const services = request.spec.services
    .filter((service) => service.name === name || service.role === 'reference')
    .map((service) => (service.name === name ? { ...service, image: { kind: 'image' as const, reference } } : service));
  const { spec, missing, warnings } = baselineSide(
    request.spec,
    { ...request.spec, services },
    { ...request, governing },
  );
  const specDirectory = dirname(request.specFile);
  const oneOnly: Reason[] =
    others.length === 0
      ? []
      : [
          {
            code: 'one-image-only',
            message: `Only ${name} has a baseline; there is none for ${others.map((other) => other.name).join(', ')}.`,
          },
        ];
  return {
    kind: 'built',
    spec,
    specDirectory,
    gate: request.spec.gate,
    missing,
    origin: { recordId: null, sha: null, text: `image ${reference}, with the candidate's spec` },
    candidateOrigin,
    candidateBuildDirectory: null,
    warnings: [...oneOnly, ...warnings],
    sameOnBothSides: identityCheck(context, { spec, specDirectory, tree: null }, missing),
    fallback: null,
    release: async () => undefined,
  };
}

function serviceNamed({ request }: Context, named: string | null, reference: string): string {
  const subjects = request.spec.services.filter(({ role }) => role === 'subject').map(({ name }) => name);
  if (named !== null) {
    if (subjects.includes(named)) return named;
    throw new UserError(
      `The baseline image:${named}=${reference} is for a service \`${named}\`, which is none of those compared here: ${subjects.join(', ')}.`,
    );
  }
  const [only] = subjects;
  if (subjects.length === 1 && only !== undefined) return only;
  throw new UserError(
    `The baseline image:${reference} could be of ${subjects.join(' or ')}: say which, as in image:${only}=${reference}`,
  );
}
