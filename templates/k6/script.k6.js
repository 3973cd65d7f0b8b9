// __ASKING__
const ask = asking(__REQUEST__);

export const options = __OPTIONS__;

export default function () {
  ask();
}
// __SUMMARY__
