/** One branch of what goes on at the same time; the signal is aborted as soon as another branch has failed. */
type Branch<T> = (signal: AbortSignal) => Promise<T>;

/**
 * Runs branches side by side and ends only when all of them have: whoever cleans up afterwards meets nobody who is still
 * creating things. Rejects with what the first failing branch rejected with.
 */
export async function together(signal: AbortSignal, ...branches: Branch<void>[]): Promise<void> {
  const failure = new AbortController();
  let reason: { error: unknown } | null = null;
  const linked = AbortSignal.any([signal, failure.signal]);
  await Promise.all(
    branches.map(async (branch) => {
      try {
        linked.throwIfAborted();
        await branch(linked);
      } catch (error) {
        reason ??= { error };
        failure.abort(error);
      }
    }),
  );
  if (reason !== null) throw (reason as { error: unknown }).error;
}
