import { variablesOf } from '../../core/config/caller-variables.ts';
import type { ResolvedSpec } from '../../core/config/resolved.ts';
import { printedSecretsAmong, printedSecretsOf } from '../../core/record/redaction.ts';
import { keptEntry, printedText, shownArtifact } from '../../core/record/secrets.ts';
import type { CallerVariables } from '../ports/caller-variables.ts';
import type { Progress } from '../ports/progress.ts';
import type { RunStore } from '../ports/run-store.ts';
import { TestbedError, type TestbedRuntime } from '../ports/testbed.ts';

/** What a run tells and keeps goes through these; the secrets of every spec that is started are in none of it. */
export interface RedactedAdapters {
  runtimes: Record<TestbedRuntime['kind'], TestbedRuntime>;
  store: RunStore;
  progress: Progress;
  variables: CallerVariables;
}

/**
 * The same adapters, but for what they let out: log lines, the output of builds and generators, answers, statements. What
 * is started, asked and measured is as it was. A baseline's spec, whose secrets may be others, is known once it is prepared. `taken`:
 * what logins have taken by then.
 */
export function redacting<T extends RedactedAdapters>(
  adapters: T,
  spec: ResolvedSpec,
  taken: () => readonly string[] = () => [],
): T {
  const { variables } = adapters;
  const { docker, process } = adapters.runtimes;
  const made = () => [...new Set([docker, process].flatMap((runtime) => runtime.secrets?.() ?? []))];
  const secrets = new Set<string>(printedSecretsAmong(variables.passwords ?? []));
  const known: KnownSecrets = {
    learn: (own) => {
      const given = variablesOf(own).flatMap(({ name }) => variables.value(name) ?? []);
      for (const secret of [...printedSecretsOf(own), ...printedSecretsAmong(given)]) secrets.add(secret);
    },
    secrets: () => [...secrets, ...taken(), ...made()],
  };
  known.learn(spec);
  return {
    ...adapters,
    runtimes: { docker: redactingRuntime(docker, known), process: redactingRuntime(process, known) },
    store: redactingStore(adapters.store, known),
    progress: redactingProgress(adapters.progress, known),
  };
}

interface KnownSecrets {
  learn(spec: ResolvedSpec): void;
  secrets(): string[];
}

function redactingRuntime(runtime: TestbedRuntime, known: KnownSecrets): TestbedRuntime {
  const hidden = (error: unknown) => (error instanceof TestbedError ? withoutSecretsOf(error, known) : error);
  return {
    ...runtime,
    async prepare(request, signal) {
      known.learn(request.spec);
      const prepared = await runtime.prepare(request, signal).catch((error) => Promise.reject(hidden(error)));
      return prepared.map(({ artifact, failure, ...rest }) => ({
        ...rest,
        artifact: shownArtifact(artifact, known.secrets()),
        failure: failure === null ? null : withoutSecretsOf(failure, known),
      }));
    },
    async start(request, signal) {
      known.learn(request.spec);
      return await runtime.start(request, signal).catch((error) => Promise.reject(hidden(error)));
    },
  };
}

function withoutSecretsOf({ code, message, logLines }: TestbedError, known: KnownSecrets): TestbedError {
  const hide = (text: string) => printedText(text, known.secrets());
  return new TestbedError(code, hide(message), logLines.map(hide));
}

function redactingStore(store: RunStore, known: KnownSecrets): RunStore {
  const { journal } = store;
  return {
    directory: store.directory,
    journal: {
      append: (entry) => journal.append(keptEntry(entry, known.secrets())),
      read: () => journal.read(),
    },
    writeRaw: (name, content) => store.writeRaw(name, printedText(content, known.secrets())),
    // Made of what the journal holds.
    write: (name, content) => store.write(name, content),
  };
}

function redactingProgress(progress: Progress, known: KnownSecrets): Progress {
  const hide = (text: string) => printedText(text, known.secrets());
  return {
    say: (text) => progress.say(hide(text)),
    warn: (text) => progress.warn(hide(text)),
    begin: (title) => progress.begin(hide(title)),
    end: () => progress.end(),
    at: (state) => progress.at(state),
    busy: (side, task) => progress.busy(side, task === null ? null : { ...task, what: hide(task.what) }),
    measured: (line) => progress.measured(hide(line)),
  };
}
