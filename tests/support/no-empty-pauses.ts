/**
 * From here on, what asks to be called after no time at all is called at the next turn: Node.js makes a millisecond of it, and the
 * queues of the API's client ask so some fifteen times a request, which was half of what tests of the forge took. Returns what puts
 * the clock back.
 */
export function withoutEmptyPauses(): () => void {
  const { setTimeout: later, clearTimeout: forget } = globalThis;
  const atOnce = new WeakSet<object>();
  const soon = (callback: (...args: unknown[]) => void, ms?: number, ...args: unknown[]) => {
    if (ms !== 0) return later(callback, ms, ...args);
    const immediate = setImmediate(callback, ...args);
    atOnce.add(immediate);
    return immediate;
  };
  globalThis.setTimeout = Object.assign(soon, later) as unknown as typeof setTimeout;
  globalThis.clearTimeout = (timer) => {
    if (typeof timer === 'object' && atOnce.has(timer)) clearImmediate(timer as unknown as NodeJS.Immediate);
    else forget(timer);
  };
  return () => Object.assign(globalThis, { setTimeout: later, clearTimeout: forget });
}
