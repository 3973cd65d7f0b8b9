import http from 'k6/http';
import { Counter } from 'k6/metrics';

const failures = {
  // __COUNTERS__
};
const expectedStatuses = __EXPECTED_STATUSES__;
if (expectedStatuses.length === 1) http.setResponseCallback(http.expectedStatuses(expectedStatuses[0]));

// Reading a callback from each request's parameters costs CPU: only requests that expect unlike statuses pay for it.
const callbacks = {};
for (const status of expectedStatuses) callbacks[status] = http.expectedStatuses(status);

function asking(request) {
  return () => send(request);
}

function send({ method, url, body, params, expectedStatus }) {
  if (expectedStatuses.length > 1) params.responseCallback = callbacks[expectedStatus];
  const response = http.request(method, url, body, params);
  if (response.status !== expectedStatus || isCutOff(response)) failures[kindOf(response, expectedStatus)].add(1);
}

// 1400 to 1599 only repeat a status from 400 up, also one that is expected.
function isCutOff({ error_code: code }) {
  return code !== 0 && (code < 1400 || code >= 1600);
}

// https://grafana.com/docs/k6/latest/javascript-api/error-codes/
function kindOf({ status, error_code: code }, expectedStatus) {
  if (code === 1050) return 'timeout';
  if ((code >= 1100 && code < 1200) || (code >= 1210 && code < 1220)) return 'connect';
  if (code === 1201) return 'write';
  return status === 0 || status === expectedStatus ? 'read' : 'status';
}
