// __ASKING__
// __ENTERING__
const askFirst = asking(__FIRST_REQUEST__);
const askSecond = asking(__SECOND_REQUEST__);

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
