import type { Testbed, TestbedRequest, TestbedRuntime } from '../ports/testbed.ts';

/**
 * The same runtime, whose testbeds go down while the next ones come up. What runs in one is ended first, so that it takes no CPU
 * time from what comes up; what is left of it is removed while that is warmed up. `stop` resolves at once, `start` when all that was
 * stopped before has ended, and `removed` when it is gone, so that nothing is measured beside its removal. All is gone when `release`
 * resolves.
 *
 *     last     load │ ending │                    removing │
 *     next           │ coming up ──────────▶│ warm-up ──────▶│ load
 */
export function withChangeover(runtime: TestbedRuntime): TestbedRuntime {
  let ending: Promise<unknown> = Promise.resolve();
  let removing: Promise<unknown> = Promise.resolve();
  let starting = 0;
  const ended: Testbed[] = [];
  const leaving = new Set<string>();
  const remove = (): Promise<unknown> => {
    const gone = ended.splice(0).map(async (testbed) => {
      await testbed.stop();
      leaving.delete(nameOf(testbed));
    });
    removing = Promise.all([removing, ending, ...gone]);
    return removing;
  };
  return {
    ...runtime,
    async start(request, signal) {
      // Processes of one machine could want the same port; containers have addresses of their own, but the same name only once.
      if (runtime.kind !== 'docker' || leaving.has(nameOf(request))) await remove();
      starting += 1;
      const [started] = await Promise.allSettled([runtime.start(request, signal), ending]);
      starting -= 1;
      if (starting === 0) void remove();
      if (started.status === 'rejected') throw started.reason;
      const testbed = started.value;
      return {
        ...testbed,
        async stop() {
          leaving.add(nameOf(testbed));
          ended.push(testbed);
          ending = Promise.all([ending, testbed.halt?.()]);
          if (testbed.halt === undefined) void remove();
        },
      };
    },
    async removed() {
      await removing;
    },
    async release(runId) {
      await remove();
      await runtime.release(runId);
    },
  };
}

function nameOf({ service, variant, round }: Pick<Testbed | TestbedRequest, 'service' | 'variant' | 'round'>): string {
  return `${service.name} ${variant} ${round}`;
}
