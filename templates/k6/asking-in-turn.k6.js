import { SharedArray } from 'k6/data';
import { b64decode } from 'k6/encoding';
import execution from 'k6/execution';

// Gives what sends the next request of a file, for all virtual users of a scenario together, which share one copy of it.
function askingInTurn(file, { timeout }) {
  const requests = new SharedArray(`${file} requests`, () => JSON.parse(open(file)).requests);
  const order = new SharedArray(`${file} order`, () => JSON.parse(open(file)).order);
  return () => {
    const place = execution.scenario.iterationInTest % order.length;
    const { method, url, headers, body, base64, expectedStatus } = requests[order[place]];
    const params = { headers, timeout, redirects: 0, responseType: 'none' };
    send({ method, url, body: base64 === undefined ? body : b64decode(base64), params, expectedStatus });
  };
}
