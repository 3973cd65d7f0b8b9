/** Something that several want and one makes. */
export interface SharedMaking<T> {
  /** What was made, or what `make` makes now; who finds it in the making waits. Rejects as `make`, and then the next who asks makes it. */
  of(make: () => Promise<T>, signal: AbortSignal): Promise<T>;
  /** Null where it was never made, or could not be. */
  made(): Promise<T | null>;
}

export function sharedMaking<T>(): SharedMaking<T> {
  let making: Promise<T> | null = null;
  return {
    async of(make, signal) {
      while (making !== null) {
        // Another side makes it. That it was given up there says nothing of this one.
        const found = await making.then(
          (value) => ({ value }),
          () => null,
        );
        signal.throwIfAborted();
        if (found !== null) return found.value;
      }
      const own = make();
      making = own;
      try {
        return await own;
      } catch (error) {
        making = null;
        throw error;
      }
    },
    made: async () => (await making?.catch(() => null)) ?? null,
  };
}
