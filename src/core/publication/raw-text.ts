/** Characters of the file with the generators' texts of a run: what is more stays in the run's artifact. */
export const MOST_RAW = 64_000;

/** What `rawText` writes. */
export interface PublishedTexts {
  schemaVersion: 1;
  /** Id of the run. */
  run: string;
  /** By their paths in the folder of the run. */
  files: Record<string, string>;
  /** The first of them. */
  leftOut: { path: string; reason: string }[];
  leftOutCount: number;
}

/** A text of `raw/`; null where it is not there, or is longer than all that is kept. */
export interface RawText {
  /** `raw/…` */
  path: string;
  text: string | null;
}

/**
 * The file beside a published run that holds what its generators wrote: whole texts, in the order that is given, as long as they
 * fit, and of each other one why it is not here. Null where there is nothing to keep.
 */
export function rawText(run: string, texts: readonly RawText[]): string | null {
  const files: Record<string, string> = {};
  const leftOut: { path: string; reason: string }[] = [];
  let length = 0;
  for (const { path, text } of texts) {
    const more = text === null ? 0 : JSON.stringify([path, text]).length;
    if (text === null) leftOut.push({ path, reason: 'It is not there, or too long.' });
    else if (length + more > MOST_RAW)
      leftOut.push({ path, reason: `With it this file would have more than ${MOST_RAW} characters.` });
    else {
      files[path] = text;
      length += more;
    }
  }
  if (Object.keys(files).length === 0) return null;
  // A long list of what is missing must not be longer than what is here.
  const shown = leftOut.slice(0, 20);
  const kept: PublishedTexts = { schemaVersion: 1, run, files, leftOut: shown, leftOutCount: leftOut.length };
  return `${JSON.stringify(kept)}\n`;
}

/** Paths of texts directly in `raw/`, of a record that may come from anybody. */
export function rawPaths(cases: readonly { variant: string; raw: readonly string[] }[]): string[] {
  const paths = cases.filter(({ variant }) => variant === 'candidate').flatMap(({ raw }) => raw);
  return [...new Set(paths)].filter((path) => /^raw\/(?!\.)[^/\\\p{Cc}]{1,200}$/u.test(path));
}
