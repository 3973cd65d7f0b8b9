import * as z from 'zod';
import { textOrTexts } from '../values/forms.ts';

const NAME_PHRASE = 'a host name of lower-case letters, digits and inner - (63 at most)';
/** Of one label: what stands before `.host` in a placeholder. */
export const hostName = z.string(NAME_PHRASE).regex(/^[a-z](?:[a-z0-9-]{0,61}[a-z0-9])?$/, NAME_PHRASE);

const FULL_PHRASE = 'a host name such as cache or cache.internal';
export const hostNames = textOrTexts(
  z
    .string(FULL_PHRASE)
    .regex(
      /^(?=.{1,253}$)[A-Za-z0-9](?:[A-Za-z0-9_-]{0,61}[A-Za-z0-9])?(?:\.[A-Za-z0-9](?:[A-Za-z0-9_-]{0,61}[A-Za-z0-9])?)*$/,
      FULL_PHRASE,
    ),
  'a host name, or a list such as [cache, cache.internal]',
  16,
);
