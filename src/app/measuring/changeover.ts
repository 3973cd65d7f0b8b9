import type { Testbed, TestbedRequest, TestbedRuntime } from '../ports/testbed.ts';

/**
 * The same runtime, whose testbeds go down while the next ones come up: `stop` resolves at once, and `start` when what was stopped
 * before is gone as well, so that nothing is measured beside its removal. All is gone when `release` resolves.
 */
export function withChangeover(runtime: TestbedRuntime): TestbedRuntime {
  let stopping: Promise<unknown> = Promise.resolve();
  const leaving = new Set<string>();
  return {
    ...runtime,
    async start(request, signal) {
      // Processes of one machine could want the same port; containers have addresses of their own, but the same name only once.
      if (runtime.kind !== 'docker' || leaving.has(nameOf(request))) await stopping;
      const [started] = await Promise.allSettled([runtime.start(request, signal), stopping]);
      if (started.status === 'rejected') throw started.reason;
      const testbed = started.value;
      return {
        ...testbed,
        async stop() {
          leaving.add(nameOf(testbed));
          const gone = testbed.stop().then(() => leaving.delete(nameOf(testbed)));
          stopping = Promise.all([stopping, gone]);
        },
      };
    },
    async release(runId) {
      await stopping;
      await runtime.release(runId);
    },
  };
}

function nameOf({ service, variant, round }: Pick<Testbed | TestbedRequest, 'service' | 'variant' | 'round'>): string {
  return `${service.name} ${variant} ${round}`;
}
