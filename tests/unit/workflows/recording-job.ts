import type { Job, JobAnnotation } from '../../../src/app/ports/job.ts';
import type { Diagnostic } from '../../../src/core/config/diagnostics.ts';

/** What a job was told. */
export interface Told {
  outputs: Record<string, string>;
  said: string[];
  errors: string[];
  diagnostics: Diagnostic[];
  annotations: JobAnnotation[];
  summaries: string[];
  /** Names of artifacts, and the folders that they are of. */
  uploads: [string, string][];
  remembered: Record<string, string>;
}

/** A job that keeps what it is told. */
export function recordingJob(): { job: Job; told: Told } {
  const told: Told = {
    ...{ outputs: {}, said: [], errors: [], diagnostics: [], annotations: [], summaries: [], uploads: [] },
    remembered: {},
  };
  const job: Job = {
    output: (name, value) => void Object.assign(told.outputs, { [name]: value }),
    summary: async (text) => void told.summaries.push(text),
    diagnostic: (diagnostic) => void told.diagnostics.push(diagnostic),
    warn: (text) => void told.said.push(text),
    annotate: (annotation) => void told.annotations.push(annotation),
    error: (text) => void told.errors.push(text),
    say: (text) => void told.said.push(text),
    group: (_, inside) => inside(),
    async upload(name, folder) {
      told.uploads.push([name, folder]);
      return null;
    },
    mask: () => undefined,
    remember: (name, value) => void Object.assign(told.remembered, { [name]: value }),
  };
  return { job, told };
}
