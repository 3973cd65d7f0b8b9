import { secretsOf } from '../core/record/redaction.ts';
import { keptEntry, printedText, shownArtifact } from '../core/record/secrets.ts';
import type { ResolvedSpec } from '../core/spec/resolved.ts';
import type { Progress } from './ports/progress.ts';
import type { RunStore } from './ports/run-store.ts';
import { StageError, type StageRuntime } from './ports/stage.ts';

/** What a run tells and keeps goes through these; the secrets of every spec that is put on stage are in none of it. */
export interface Telling {
  runtimes: Record<StageRuntime['kind'], StageRuntime>;
  store: RunStore;
  progress: Progress;
}

/**
 * The same adapters, but for what they let out: log lines, the output of builds and generators, answers, statements. What
 * is started, asked and measured is as it was. A baseline's spec, whose secrets may be others, is known once it is prepared.
 */
export function redacting<T extends Telling>(adapters: T, spec: ResolvedSpec): T {
  const secrets = new Set(secretsOf(spec));
  const known: Known = {
    learn: (own) => {
      for (const secret of secretsOf(own)) secrets.add(secret);
    },
    secrets: () => [...secrets],
  };
  const { docker, process } = adapters.runtimes;
  return {
    ...adapters,
    runtimes: { docker: redactingRuntime(docker, known), process: redactingRuntime(process, known) },
    store: redactingStore(adapters.store, known),
    progress: redactingProgress(adapters.progress, known),
  };
}

interface Known {
  learn(spec: ResolvedSpec): void;
  secrets(): string[];
}

function redactingRuntime(runtime: StageRuntime, known: Known): StageRuntime {
  const hidden = (error: unknown) => (error instanceof StageError ? withoutSecretsOf(error, known) : error);
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

function withoutSecretsOf({ code, message, logLines }: StageError, known: Known): StageError {
  const hide = (text: string) => printedText(text, known.secrets());
  return new StageError(code, hide(message), logLines.map(hide));
}

function redactingStore(store: RunStore, known: Known): RunStore {
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

function redactingProgress(progress: Progress, known: Known): Progress {
  const hide = (text: string) => printedText(text, known.secrets());
  return {
    say: (text) => progress.say(hide(text)),
    warn: (text) => progress.warn(hide(text)),
    begin: (title) => progress.begin(hide(title)),
    end: () => progress.end(),
    at: (state) => progress.at(state),
    measured: (line) => progress.measured(hide(line)),
  };
}
