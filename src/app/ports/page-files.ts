/** Files of published pages, wherever they lie. */
export interface PageFiles {
  /** For people: `gh-pages of https://github.com/acme/api`. */
  place: string;
  /** By its path from the top of the branch, `wrkbench/index.html`; null where there is no such file. */
  read(path: string): Promise<Uint8Array | null>;
}
