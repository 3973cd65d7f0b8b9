/** The page's script as text: `scripts/build.mjs` builds it from `report-page.ts` and puts it here. */
declare module 'wrkbench:report-page' {
  const script: string;
  export default script;
}

/** The text of a file of `workflows/`. */
declare module 'wrkbench:starter/*' {
  const workflow: string;
  export default workflow;
}
