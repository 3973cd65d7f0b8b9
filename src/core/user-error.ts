/**
 * The input or the call is wrong, and the message says to its author what, where and what to do now. Every error that a
 * user can bring about by what they write is one, so that who reports them need not load those who throw them.
 */
export class UserError extends Error {
  override name = 'UserError';
}
