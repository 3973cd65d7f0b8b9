import { readdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import * as core from '@actions/core';
import type { Job } from '../../app/ports/job.ts';
import { withoutCommands } from '../../core/action/workflow-commands.ts';
import { terminalText } from '../../core/format/text.ts';

export interface JobOptions {
  /** GitHub's own servers: only those have the service that artifacts go to. */
  hosted: boolean;
  retentionDays?: number;
}

/** GitHub Actions, through its own toolkit. */
export function actionsJob({ hosted }: JobOptions): Job {
  let hasWarned = false;
  const warn = (text: string) => core.warning(terminalText(text));
  return {
    output: (name, value) => core.setOutput(name, value),
    async summary(text) {
      try {
        await core.summary.addRaw(text, true).write();
      } catch (error) {
        warn(`The summary cannot be written: ${messageOf(error)}`);
      }
    },
    diagnostic({ file, line, column, length, message }) {
      core.error(terminalText(message), {
        file,
        startLine: line,
        startColumn: column,
        endColumn: column + length,
        title: 'wrkbench',
      });
    },
    warn,
    annotate({ level, title, message, file }) {
      const place = { title: terminalText(title), ...(file === '' ? {} : { file }) };
      (level === 'warning' ? core.warning : core.notice)(terminalText(message), place);
    },
    error: (text) => core.error(terminalText(text)),
    // The log is read for commands, wherever a line of it comes from.
    say: (text) => core.info(withoutCommands(terminalText(text))),
    group: (title, inside) => core.group(terminalText(title), inside),
    async upload(name, folder) {
      if (!hosted) {
        // The same of each spec: once is enough.
        if (!hasWarned) warn(withoutArtifacts(folder));
        hasWarned = true;
        return null;
      }
      try {
        // Loaded only where it is used: it is as long as everything else together.
        const { uploadFolder } = await import('./artifact.ts');
        const files = await filesBelow(folder);
        return await core.group(`Artifact ${name}`, () => uploadFolder(name, files, folder));
      } catch (error) {
        warn(`${name} cannot be kept as an artifact: ${messageOf(error)} It lies in ${folder}.`);
        return null;
      }
    },
    mask: (secret) => core.setSecret(secret),
    remember: (name, value) => core.saveState(name, value),
  };
}

function withoutArtifacts(folder: string): string {
  return `Artifacts are not kept: this server does not support the current kind. The results are in ${dirname(folder)}. Set the input \`upload: false\` to go without them.`;
}

async function filesBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
