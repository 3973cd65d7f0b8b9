/** Why there is no application; the message is a sentence, and says what to do now. */
export class InstallationError extends Error {
  name = 'InstallationError';

  /** @param {string} message @param {2 | 3} [status] 2: the call is wrong; 3: something is missing on this machine */
  constructor(message, status = 3) {
    super(message);
    this.status = status;
  }
}
