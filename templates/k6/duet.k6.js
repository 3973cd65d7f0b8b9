// __ASKING__
// __ENTERING__
const askFirst = __ASK_FIRST__;
const askSecond = __ASK_SECOND__;

export const options = __OPTIONS__;

export function first() {
  enter();
  askFirst();
}

export function second() {
  enter();
  askSecond();
}
// __SUMMARY__
