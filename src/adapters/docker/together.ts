/** One branch of what goes on at the same time; the signal is aborted as soon as another branch has failed. */
export type Branch<T> = (signal: AbortSignal) => Promise<T>;

/**
 * Runs branches side by side and ends only when all of them have: whoever cleans up afterwards meets nobody who is still
 * creating things. Rejects with what the first failing branch rejected with.
 */
export async function together<A, B>(signal: AbortSignal, first: Branch<A>, second: Branch<B>): Promise<[A, B]> {
  const failure = new AbortController();
  let reason: { error: unknown } | null = null;
  const linked = AbortSignal.any([signal, failure.signal]);
  const guarded = async <T>(branch: Branch<T>): Promise<T> => {
    try {
      linked.throwIfAborted();
      return await branch(linked);
    } catch (error) {
      reason ??= { error };
      failure.abort(error);
      throw error;
    }
  };
  const [one, two] = await Promise.allSettled([guarded(first), guarded(second)]);
  if (one.status === 'fulfilled' && two.status === 'fulfilled') return [one.value, two.value];
  throw (reason as { error: unknown } | null)?.error;
}
