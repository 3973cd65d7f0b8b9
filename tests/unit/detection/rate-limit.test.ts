import { expect, it } from 'vitest';
import { validateSpec } from '../../../src/app/validate.ts';
import { proposal } from '../../../src/core/detection/proposal.ts';
import { withoutRateLimit } from '../../../src/core/detection/rate-limit.ts';
import { specText } from '../../../src/core/detection/spec-text.ts';

function draftOf(example: string, code: string) {
  const files = {
    Dockerfile: 'FROM node:22\nCOPY . .\nEXPOSE 3000\nCMD ["node", "server.js"]\n',
    'package.json': '{"name": "shop", "dependencies": {"express": "4"}}',
    'server.js': `app.get('/a', f);\napp.listen(3000);\n${code}`,
    '.env.example': example,
  };
  const all = Object.entries(files).map(([path, content]) => ({ path, content }));
  return proposal(all, { folderName: 'shop', isSecret: () => false }).specs[0]!;
}

const reading = (names: readonly string[]) => names.map((name) => `process.env.${name}`).join('\n');

it('a service that limits how often it is asked is told to let pass all that a generator sends', () => {
  const example = [
    ...['RATE_LIMIT_MAX_REQUESTS=20', 'RATE_LIMIT_WINDOW_MS=1000', 'API_THROTTLE=100/minute', 'THROTTLE_TTL=60'],
    ...['RATE_LIMIT_ENABLED=true', 'DISABLE_RATE_LIMIT=false', 'RATE_LIMIT_STORE_URL=memory', 'UPLOAD_LIMIT=5'],
  ];
  const code = reading(['REQUESTS_PER_SECOND', ...example.map((line) => line.split('=')[0]!)]);
  const draft = draftOf(example.join('\n'), code);
  const repair = withoutRateLimit(draft.parts, 'shop')!;
  expect(repair.sentence).toBe(
    'It has a rate limit: RATE_LIMIT_MAX_REQUESTS, API_THROTTLE, RATE_LIMIT_ENABLED, DISABLE_RATE_LIMIT, REQUESTS_PER_SECOND.',
  );
  const text = specText(repair.parts);
  expect(validateSpec(text, 'wrkbench.yml').ok).toBe(true);
  const before = draft.content.split('\n');
  expect(text.split('\n').filter((line) => !before.includes(line))).toEqual([
    '      RATE_LIMIT_MAX_REQUESTS: "1000000000"   # .env.example: so that it does not answer 429 (Too Many Requests) under load',
    '      API_THROTTLE: "1000000000/minute"   # .env.example: so that it does not answer 429 (Too Many Requests) under load',
    '      RATE_LIMIT_ENABLED: "false"   # .env.example: so that it does not answer 429 (Too Many Requests) under load',
    '      DISABLE_RATE_LIMIT: "true"   # .env.example: so that it does not answer 429 (Too Many Requests) under load',
    '      REQUESTS_PER_SECOND: "1000000000"   # so that it does not answer 429 (Too Many Requests) under load',
  ]);
  expect(withoutRateLimit(repair.parts, 'shop')).toBeNull();
});

it('nothing is found to raise where the limit stands in the code', () => {
  expect(withoutRateLimit(draftOf('PORT=3000', 'rateLimit({max: 100})').parts, 'shop')).toBeNull();
});
