import { closeSync, openSync, readSync } from 'node:fs';

/**
 * A small kernel file that is read again and again through one open descriptor: a third of the cost of opening it each
 * time. Once it cannot be read any more (its cgroup is gone) the text read last stays.
 */
export class KeptFile {
  readonly #descriptor: number;
  readonly #buffer: Buffer;
  #text = '';
  #open = true;

  /** Throws where the file cannot be opened. `size`: bytes that are read at most. */
  constructor(path: string, size = 4096) {
    this.#descriptor = openSync(path, 'r');
    this.#buffer = Buffer.allocUnsafe(size);
  }

  read(): string {
    if (!this.#open) return this.#text;
    try {
      let length = 0;
      // A seq_file gives at most a page for each call.
      while (length < this.#buffer.length) {
        const got = readSync(this.#descriptor, this.#buffer, length, this.#buffer.length - length, length);
        if (got === 0) break;
        length += got;
      }
      if (length > 0) this.#text = this.#buffer.toString('latin1', 0, length);
    } catch {
      // ENODEV: the cgroup has been removed.
    }
    return this.#text;
  }

  close(): void {
    if (!this.#open) return;
    this.#open = false;
    closeSync(this.#descriptor);
  }
}
