import * as template from './__TEMPLATE__';

export * from './__TEMPLATE__';

const given = template.options || {};
const base = __OPTIONS__;
if (__OWN_LOAD__) delete base.scenarios;

export const options = Object.assign(base, given, { summaryTrendStats: base.summaryTrendStats });
export default template.default;
// __SUMMARY__
