import type { ReadProject } from '../../core/detection/compose-project.ts';
import type { ComposeSource } from '../../core/detection/compose-source.ts';

export interface ComposeReader {
  /**
   * A project as Docker Compose itself reads it; null where Compose is not on this machine, refuses the files or takes too long.
   * Nothing of the caller's environment is in it. Never rejects.
   */
  read(source: ComposeSource): Promise<ReadProject | null>;
}
