// __ASKING__
const url = __URL__;

export const options = __OPTIONS__;

export default function () {
  ask(url);
}
// __SUMMARY__
