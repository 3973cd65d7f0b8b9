// __ASKING__
// __ENTERING__
export const options = __OPTIONS__;

export function first() {
  enter();
  ask(__FIRST_URL__);
}

export function second() {
  enter();
  ask(__SECOND_URL__);
}
// __SUMMARY__
