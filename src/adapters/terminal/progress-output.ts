/** Where progress goes: standard error. `columns` is undefined where it is no terminal. */
export interface ProgressOutput {
  write(text: string): unknown;
  isTTY?: boolean | undefined;
  columns?: number | undefined;
}
