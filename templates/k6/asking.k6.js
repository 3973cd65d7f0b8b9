import http from 'k6/http';
import { Counter } from 'k6/metrics';

const method = __METHOD__;
const body = __BODY__;
const params = __PARAMS__;
const expectedStatus = __EXPECTED_STATUS__;
const failures = {
  // __COUNTERS__
};

http.setResponseCallback(http.expectedStatuses(expectedStatus));

function ask(url) {
  const response = http.request(method, url, body, params);
  if (response.status !== expectedStatus || isCutOff(response)) failures[kindOf(response)].add(1);
}

// 1400 to 1599 only repeat a status from 400 up, also one that is expected.
function isCutOff({ error_code: code }) {
  return code !== 0 && (code < 1400 || code >= 1600);
}

// https://grafana.com/docs/k6/latest/javascript-api/error-codes/
function kindOf({ status, error_code: code }) {
  if (code === 1050) return 'timeout';
  if ((code >= 1100 && code < 1200) || (code >= 1210 && code < 1220)) return 'connect';
  if (code === 1201) return 'write';
  return status === 0 || status === expectedStatus ? 'read' : 'status';
}
