import * as template from './__TEMPLATE__';

export * from './__TEMPLATE__';

const given = template.options || {};
const base = __OPTIONS__;
const isOwnLoad = Boolean(__OWN_LOAD__);
if (isOwnLoad) {
  delete base.scenarios;
  delete base.thresholds;
}

// __MERGED__
export const options = merged(base, given);
export default template.default;
// __SUMMARY__
