/** Folder of the checkout with the spec of an application. */
export function fixtureFolder(name: string): string;
