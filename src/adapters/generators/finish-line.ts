/** The place of one generator at the line. What it says after it left counts for nothing. */
export interface FinishLane {
  /** Its load has ended, and its connections are open: resolves when it may close them. Rejects with what `whileOpen` does. */
  ended(): Promise<void>;
  /** It has ended by itself, or is made to: the others do not wait for it. */
  leave(): void;
}

/**
 * Keeps generators whose loads have ended where they are, with their connections open, until all loads of the trial have ended and
 * what is done `whileOpen` is done. It is called once, and not at all where none of them came so far.
 *
 *     first   load ───▶│ open ────────────────────────────▶│ closed
 *     second  load ─────▶│ open ──────────────────────────▶│ closed
 *                        │ whileOpen ─────────────────────▶│
 */
export class FinishLine {
  readonly #lanes: ('loading' | 'ended' | 'left')[];
  readonly #open: Promise<void>;
  #allEnded!: () => void;

  constructor(lanes: number, whileOpen: () => Promise<void>) {
    this.#lanes = Array.from({ length: lanes }, () => 'loading');
    this.#open = new Promise<void>((resolve) => {
      this.#allEnded = resolve;
    }).then(whileOpen);
    // Nobody may be there any more to hear of it.
    this.#open.catch(() => {});
  }

  lane(index: number): FinishLane {
    const become = (next: 'ended' | 'left') => {
      if (this.#lanes[index] !== 'left') this.#lanes[index] = next;
      if (!this.#lanes.includes('loading') && this.#lanes.includes('ended')) this.#allEnded();
    };
    return {
      ended: () => {
        become('ended');
        return this.#open;
      },
      leave: () => become('left'),
    };
  }
}
