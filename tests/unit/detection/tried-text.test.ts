import { expect, it } from 'vitest';
import { withoutEndpoints, withServiceRemarks } from '../../../src/core/detection/tried-text.ts';

const SPEC = `name: shop
services:
  ready:
    port: 80
endpoints:
  ready:   # app.js
    path: /ready
    expect: {status: 200}
  "1e3":
    path: /1e3
    expect: {status: 200}

load:
  preset: standard
`;

it('an endpoint is commented out with its reason on one line, and a service of its name stays', () => {
  expect(withoutEndpoints(SPEC, [{ name: 'ready', why: 'status: expected 200,\u001b got 503\nlog' }], false)).toBe(
    SPEC.replace(
      `  ready:   # app.js
    path: /ready
    expect: {status: 200}
`,
      `  # tried by init --try: status: expected 200,? got 503
  # ready:   # app.js
  #   path: /ready
  #   expect: {status: 200}
`,
    ),
  );
});

it('endpoints stay where none would be left, each with its reason', () => {
  const remarks = ['ready', '1e3'].map((name) => ({ name, why: 'no answer' }));
  expect(withoutEndpoints(SPEC, remarks, true)).toBe(
    SPEC.replace('  ready:   #', '  # tried by init --try: no answer\n  ready:   #').replace(
      '  "1e3":',
      '  # tried by init --try: no answer\n  "1e3":',
    ),
  );
});

it('a service keeps its lines, with the reason above them', () => {
  expect(withServiceRemarks(SPEC, [{ name: 'ready', why: 'it exited' }])).toBe(
    SPEC.replace('  ready:\n', '  # tried by init --try: it exited\n  ready:\n'),
  );
});
