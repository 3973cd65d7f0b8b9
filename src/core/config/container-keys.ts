/** What a service and a dependency say alike of their container; each absent where it is as the image has it. */
import * as z from 'zod';
import { listOf, oneOrMore, plainValue, relativePath } from '../values/scalars.ts';
import { form, orAbsent } from '../values/section.ts';

const PATH_PHRASE =
  'an absolute path in the container of letters, digits and . _ @ + = ~ -, without .. (155 characters at most)';
/** No longer than an archive of files holds, and without what options of the engine are divided by. */
export const containerPath = z
  .string(PATH_PHRASE)
  .regex(/^(?=.{2,155}$)(?:\/(?!\.\.?(?:\/|$))[A-Za-z0-9._@+=~-]{1,99})+$/, PATH_PHRASE)
  .meta({ id: 'container-path' });

const USER_PHRASE = 'a user of the image such as app, 1000 or 1000:1000';
const FILES_PHRASE = 'a map such as {config.yml: /etc/app/config.yml}, 64 files at most';
const ENTRYPOINT_PHRASE = 'a list of words such as [/bin/app, serve], or [] for none';
const VOLUMES_PHRASE = 'a path, or a list such as [/data], 16 at most';

export function volumesKey(description: string) {
  const paths = form(oneOrMore(containerPath, VOLUMES_PHRASE, 16), (all) => listOf<string>(all), z.array(z.string()));
  return orAbsent(paths, description);
}

export const containerKeys = {
  entrypoint: orAbsent(
    form(
      z.array(plainValue, ENTRYPOINT_PHRASE).max(64, ENTRYPOINT_PHRASE),
      (words) => words.map(String),
      z.array(z.string()),
    ),
    "Replaces the image's entrypoint, and its command with it; `[]` for none. A process is started by these words before `command`.",
  ),
  user: orAbsent(
    form(
      z.union(
        [
          z.string(USER_PHRASE).regex(/^\w[\w.-]{0,63}(?::\w[\w.-]{0,63})?$/, USER_PHRASE),
          z.number().int().nonnegative(),
        ],
        USER_PHRASE,
      ),
      String,
      z.string(),
    ),
    'User that it runs as in a container.',
  ),
  files: orAbsent(
    form(
      z
        .record(relativePath, containerPath, FILES_PHRASE)
        .refine((files) => Object.keys(files).length <= 64, FILES_PHRASE),
      (files) => files,
      z.record(z.string(), z.string()),
    ),
    'Files of the checkout, relative to the spec, and where they are put in the container, which cannot change them there. A process reads them where they are.',
  ),
  volumes: volumesKey(
    'Folders in the container that are empty at first, in memory, writable for everybody in it and gone with it.',
  ),
};
