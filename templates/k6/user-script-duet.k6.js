import './__FIRST_ENVIRONMENT__';
import * as firstScript from './__FIRST_TEMPLATE__';
import './__SECOND_ENVIRONMENT__';
import * as secondScript from './__SECOND_TEMPLATE__';

// __ENTERING__
const environments = __ENVIRONMENTS__;
const scripts = [firstScript, secondScript];
const given = firstScript.options || {};
const base = __OPTIONS__;
if (__OWN_LOAD__) {
  throw new Error(
    'load.k6.script brings a load of its own, whose requests to baseline and candidate cannot be told apart',
  );
}

// __MERGED__
export const options = Object.assign(merged(base, given), { scenarios: base.scenarios });

function ofBoth(call) {
  return scripts.map((script, index) => {
    globalThis.__ENV = Object.assign({}, globalThis.__ENV, environments[index]);
    return call(script, index);
  });
}

export function setup() {
  return ofBoth((script) => script.setup?.());
}

export function teardown(data) {
  ofBoth((script, index) => script.teardown?.(data[index]));
}

export function first(data) {
  enter();
  return firstScript.default(data[0]);
}

export function second(data) {
  enter();
  return secondScript.default(data[1]);
}
// __SUMMARY__
