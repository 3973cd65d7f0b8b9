// __ASKING__
const ask = __ASK__;

export const options = __OPTIONS__;

export default function () {
  ask();
}
// __SUMMARY__
