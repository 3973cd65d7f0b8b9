export interface Application {
  name: string;
}
/** Throws an error with a sentence where there is none of this name. */
export function applicationNamed(name: string): Application;
