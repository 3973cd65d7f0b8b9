import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { countingOnly, DEMO_REQUEST, withAddedQuery } from '../../../src/app/demo.ts';
import { readSpec } from '../../../src/core/config/read.ts';

const source = readFileSync('fixtures/servers/rest-node/database.mjs', 'utf8');
const spec = readFileSync('fixtures/suites/demo-comparison/wrkbench.yml', 'utf8');

/** Metrics that are waited for; latency would be at a fixed rate, which the demo has none of. */
function judged(text: string): string[] {
  const { metrics } = readSpec(text, 'wrkbench.yml').gate;
  const limited = Object.keys(metrics).filter((name) => {
    const { maxIncrease, maxDecrease } = metrics[name]!;
    return (maxIncrease ?? maxDecrease) !== undefined && !(maxIncrease ?? maxDecrease)!.watched;
  });
  return limited.filter((name) => !name.startsWith('latency')).sort();
}

describe('the demo', () => {
  it('adds one query to the bundled server, and changes nothing else', () => {
    const [before, after] = [source, withAddedQuery(source)].map((text) => text.split('\n').map((line) => line.trim()));
    expect(before!.filter((line) => !after!.includes(line))).toEqual([
      'return (await pool.query(STATEMENTS[statement])).rows[0].body;',
    ]);
    expect(after!.filter((line) => !before!.includes(line))).toEqual([
      'const page = await pool.query(STATEMENTS[statement]);',
      'if (statement === "users") await pool.query("SELECT count(*) FROM users");',
      'return page.rows[0].body;',
    ]);
    expect(after).toHaveLength(before!.length + 2);
  });

  it('refuses a server that it does not know, rather than compare it with itself', () => {
    expect(() => withAddedQuery(source.replaceAll('STATEMENTS[statement]', 'statement'))).toThrow('not one place');
    expect(() => withAddedQuery(source + source)).toThrow('not one place');
  });

  it('loads the request that it makes dearer, and judges queries and CPU alone', () => {
    const { endpoints, load } = readSpec(spec, 'wrkbench.yml');
    expect(endpoints.map(({ method, path }) => `${method} ${path}`)).toEqual([DEMO_REQUEST]);
    expect(load).toMatchObject({ k6: null, h2load: null });
    expect(judged(spec)).toEqual(['cpu-per-request', 'queries-per-request']);
  });

  it('counts only where it is to be quick', () => {
    expect(judged(countingOnly(spec))).toEqual(['queries-per-request']);
  });
});
