import { requestText } from '../config/request-text.ts';
import { isWriting } from '../config/writes.ts';
import { grouped } from '../format/figures.ts';
import type { Evidence } from './evidence.ts';

/** What is said of answers under load that are not as long as those that were checked, and what may have made them so. */
export function otherAnswersSentence({ case: testCase, writers = [] }: Evidence, got: number, checked: number): string {
  const said = `answers under load have ${grouped(got)} bytes on average, those that were checked ${grouped(checked)}: the service answers something else under load`;
  if (got < checked) return `${said}, such as that it is too busy: look at its log`;
  const { endpoint, service } = testCase;
  if (isWriting(endpoint)) {
    return `${said}. Its own requests change data, and later answers hold more of them: let it answer with what does not grow`;
  }
  if (writers.length === 0) {
    return `${said}. Where a list grows, ask for a page of it; where the requests of this endpoint change data themselves, say so by \`writes: true\``;
  }
  const named = writers.map((writer) => `${writer.name} (${requestText(writer, service)})`).join(', ');
  const [write, they] = writers.length === 1 ? ['writes', 'it'] : ['write', 'they'];
  return `${said}. ${named} of the same spec ${write}, and what ${they} added may be in these answers: data are put back between cases only where the spec names what keeps them (\`database\`, \`dependencies\`). Name that, or ask for a page that does not grow`;
}
