export interface OneLineChange {
  file: string;
  line: string;
  replacement: string;
  why: string;
}
/** Throws an error with a sentence where the line is not in the file, or not once. */
export function applyChange(folder: string, change: OneLineChange): void;
