/** Where a project's own files for its pages are read from; paths are those below `.wrkbench/templates`. */
export interface TemplateSource {
  list(): Promise<{ path: string; bytes: number }[]>;
  /** Null where it is not there any more. */
  content(path: string): Promise<Uint8Array | null>;
}
