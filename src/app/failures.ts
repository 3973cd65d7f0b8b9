import { UserError } from '../core/user-error.ts';

/** The call asks for what cannot be: a file that is not there, two options that exclude each other. */
export class UsageError extends UserError {
  override name = 'UsageError';
}

/** The machine lacks something that the run needs; the message says what, and the command that mends it. */
export class MachineLacks extends Error {
  override name = 'MachineLacks';
}
