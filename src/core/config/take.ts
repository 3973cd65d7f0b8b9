import * as z from 'zod';
import { form } from '../values/section.ts';
import { TAKE_PHRASE, TAKE_TEXT, TAKEN_NAME } from './take-place.ts';

const NAME_PHRASE = 'a name of letters, digits, _ and -, beginning with a letter (32 at most)';

/** Name → where its value stands in the answer: see `TakePlace`. */
export const take = form(
  z.record(
    z.string(NAME_PHRASE).regex(TAKEN_NAME, NAME_PHRASE),
    z.string(TAKE_PHRASE).max(256, TAKE_PHRASE).regex(TAKE_TEXT, TAKE_PHRASE),
    'a map such as {token: $.access_token}',
  ),
  (places): Record<string, string> => places,
  z.record(z.string(), z.string()),
);
