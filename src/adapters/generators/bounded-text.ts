/** The beginning and the end of a stream, when it is too long to be kept whole. */
export class BoundedText {
  readonly #half: number;
  #head: Buffer[] = [];
  #headBytes = 0;
  #tail: Buffer[] = [];
  #tailBytes = 0;
  #droppedBytes = 0;

  constructor(mostBytes = 1 << 20) {
    this.#half = mostBytes / 2;
  }

  add(chunk: Buffer): void {
    const fits = Math.min(chunk.length, this.#half - this.#headBytes);
    if (fits > 0) {
      this.#head.push(chunk.subarray(0, fits));
      this.#headBytes += fits;
    }
    if (fits === chunk.length) return;
    this.#tail.push(chunk.subarray(fits));
    this.#tailBytes += chunk.length - fits;
    while (this.#tailBytes - (this.#tail[0]?.length ?? 0) >= this.#half) {
      const dropped = this.#tail.shift()!.length;
      this.#tailBytes -= dropped;
      this.#droppedBytes += dropped;
    }
  }

  toString(): string {
    const head = Buffer.concat(this.#head).toString('utf8');
    const tail = Buffer.concat(this.#tail).toString('utf8');
    return this.#droppedBytes === 0 ? head + tail : `${head}\n… ${this.#droppedBytes} bytes left out …\n${tail}`;
  }
}
