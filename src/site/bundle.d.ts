/** The page's script as text: `scripts/build.mjs` builds it from `report-page.ts` and puts it here. */
declare module 'wrkbench:report-page' {
  const script: string;
  export default script;
}

/** The text of `workflows/gate.yml`. */
declare module 'wrkbench:starter-workflow' {
  const workflow: string;
  export default workflow;
}
