/** What a container is made from: an image by its name, or a Dockerfile. */
import * as z from 'zod';
import { texts } from '../values/forms.ts';
import { buildContext, environmentName, relativePath, slug } from '../values/scalars.ts';
import { form, orAbsent, orElse, orNull, section, usual } from '../values/section.ts';

const VARIABLE_PHRASE = 'a variable of the caller such as ${env.NPM_TOKEN}';
const callerVariable = z.string(VARIABLE_PHRASE).regex(/^\$\{env\.[A-Za-z_][A-Za-z0-9_]{0,254}\}$/, VARIABLE_PHRASE);
const SECRETS_PHRASE = 'a map such as {npm: "${env.NPM_TOKEN}"}';

/** What is written of a build: a folder of the checkout, or a repository at a commit. */
export const BUILD_USUAL = { context: '.', dockerfile: 'Dockerfile' } as const;
const build = section({
  context: usual(
    buildContext,
    BUILD_USUAL.context,
    'Folder that is built; or a repository at a full commit, `https://host/repo.git#COMMIT:folder`.',
  ),
  dockerfile: usual(relativePath, BUILD_USUAL.dockerfile, 'Dockerfile, relative to the context.'),
  target: orNull(slug, 'Stage of the Dockerfile to stop at.'),
  args: orElse(texts(environmentName), {}, 'Build arguments.'),
  secrets: orAbsent(
    form(z.record(slug, callerVariable, SECRETS_PHRASE), (secrets) => secrets, z.record(z.string(), z.string())),
    'Secrets that steps of the build mount by these names (`RUN --mount=type=secret,id=NAME`), each a variable of the caller as `${env.NAME}`. It takes BuildKit, and a fork gets none of them.',
  ),
});

export type ImageSource = { kind: 'image'; reference: string } | BuildSource;
export type BuildSource = { kind: 'build' } & ReturnType<typeof build.read>;

type BuildInput = string | Parameters<typeof build.read>[0];

export const writtenBuild = z.union(
  [buildContext, build.written],
  'a folder, or a map such as {context: ., dockerfile: Dockerfile}',
);
const recordedBuild = z.looseObject({ kind: z.literal('build'), ...build.recorded.shape });
export const recordedImage = z.union([
  z.looseObject({ kind: z.literal('image'), reference: z.string() }),
  recordedBuild,
]);

/** A folder, or a map. */
export const buildSource = form(writtenBuild, (written) => buildOf(written as BuildInput), recordedBuild);

function buildOf(written: BuildInput): BuildSource {
  return { kind: 'build', ...build.read(typeof written === 'string' ? { context: written } : written) };
}

/** Null where nothing is named that a container could be made from. */
export function imageOf(all: { image?: string; build?: BuildInput }): ImageSource | null {
  if (all.image !== undefined) return { kind: 'image', reference: all.image };
  return all.build === undefined ? null : buildOf(all.build);
}
