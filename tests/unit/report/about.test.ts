import { describe, expect, it } from 'vitest';
import type { About } from '../../../src/core/config/resolved.ts';
import { aboutService } from '../../../src/core/report/about.ts';
import { markdown } from '../../../src/core/report/markdown/index.ts';
import { limits } from '../../../src/core/report/sections/limits.ts';
import { viewOf } from '../../../src/core/report/view.ts';
import { fixtureRecord } from './fixture-records.ts';

function withAbout(about: About) {
  const record = fixtureRecord('hardware-tax');
  record.spec.services[0]!.about = about;
  return record;
}

describe('what a spec says of a service', () => {
  it.each([
    [{}, '–'],
    [{ language: 'Go', version: '1.22' }, 'Go 1.22'],
    [{ title: 'Spring', language: 'Java', framework: 'Spring Boot', version: '3.4' }, 'Spring, Spring Boot 3.4 (Java)'],
    [{ url: 'https://bun.sh/' }, { url: 'https://bun.sh/', text: 'https://bun.sh/' }],
    [{ title: 'Bun', url: 'https://bun.sh/' }, ['Bun', ', ', { url: 'https://bun.sh/', text: 'bun.sh' }]],
  ] as const)('%o is %o', (about, expected) => {
    expect(aboutService(withAbout(about).spec, 'bun')).toEqual(expected);
  });

  it('stands in the ranking and among the services, and in neither where no spec says anything', () => {
    const text = markdown(withAbout({ title: 'Bun', language: 'JavaScript', version: '1.3.5' }));
    expect(text.match(/Bun, JavaScript 1\.3\.5/g)).toHaveLength(2);
    expect(text.match(/\| About /g)).toHaveLength(2);
    expect(markdown(fixtureRecord('hardware-tax'))).not.toContain('About');
  });

  it('is escaped, and is no link but to the web', () => {
    const text = markdown(withAbout({ title: '<img src=x> | a', url: 'javascript:alert(1)' }));
    expect(text).not.toContain('<img');
    expect(text).not.toContain('](javascript');
  });

  it('has the CPUs that a service runs on, and what was full of these', () => {
    const record = fixtureRecord('hardware-tax');
    record.environment.placement = { service: '0-3', database: '0-3', generator: '4-7' };
    record.environment.cpuCount = 8;
    for (const each of record.cases) {
      each.utilisation = { service: 0.98, database: 0, gateway: 0, generator: 0.5, own: 0, foreign: 0, steal: 0 };
    }
    record.spec.services[0]!.cpus = 1;
    const rows = limits(viewOf(record))!.blocks.flatMap((block) => (block.kind === 'table' ? block.table.rows : []));
    const full = Object.fromEntries(rows.map(({ cells }) => [String(cells[0]), [cells[1], cells.at(-1)]]));
    expect(full.bun).toEqual(['98%', 'server: most of it the service']);
    expect(full.go).toEqual(['25%', 'one core: the service uses no more']);
    expect(markdown(record)).toMatch(/\| CPUs \|/);
  });
});
