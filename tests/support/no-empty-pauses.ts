/**
 * From here on, what asks to be called after no time at all is called as soon as what runs now has ended: Node.js makes a millisecond of
 * it, and the queues of the API's client ask so some fifteen times a request, which was most of what tests of the forge waited for.
 * Returns what puts the clock back.
 */
export function withoutEmptyPauses(): () => void {
  const { setTimeout: later, clearTimeout: forget } = globalThis;
  const waiting = new WeakSet<object>();
  const soon = (callback: (...args: unknown[]) => void, ms?: number, ...args: unknown[]) => {
    if (ms !== 0) return later(callback, ms, ...args);
    const timer = {};
    waiting.add(timer);
    queueMicrotask(() => {
      if (waiting.delete(timer)) callback(...args);
    });
    return timer;
  };
  globalThis.setTimeout = Object.assign(soon, later) as unknown as typeof setTimeout;
  globalThis.clearTimeout = (timer) => {
    if (typeof timer !== 'object' || !waiting.delete(timer)) forget(timer);
  };
  return () => Object.assign(globalThis, { setTimeout: later, clearTimeout: forget });
}
