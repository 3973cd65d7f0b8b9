/** `wrkbench/api`: what a branch rule requires. */
export const statusContext = (specName: string) => `wrkbench/${specName}`;
