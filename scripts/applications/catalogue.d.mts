export interface Application {
  name: string;
  releases: Record<string, { before?: string }>;
  from: 'go' | 'maven' | 'npm' | 'pypi';
}
export const APPLICATIONS: Application[];
/** Throws an error with a sentence where there is none of this name. */
export function applicationNamed(name: string): Application;
/** The older one where none is named. Throws an error with a sentence where it is not pinned. */
export function releaseOf(application: Application, release?: string): string;
