import { sleep } from 'k6';
import exec from 'k6/execution';

let counted = false;
let state = Math.imul(__VU, 0x85ebca6b);

function enter() {
  if (!counted && exec.scenario.progress >= __LEAD_IN_SHARE__) {
    counted = true;
    exec.vu.metrics.tags.phase = '__PHASE__';
  }
  sleep(random() * __SPREAD_SECONDS__);
}

// From 0 to 1: a Weyl sequence through MurmurHash3's finaliser.
function random() {
  state = (state + 0x9e3779b9) | 0;
  let mixed = Math.imul(state ^ (state >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return ((mixed ^ (mixed >>> 16)) >>> 0) / 0x100000000;
}
