import { describe, expect, it } from 'vitest';
import type { SeriesCase } from '../../../../src/core/publication/manifest.ts';
import { caseTitle } from '../../../../src/site/pages/case-title.ts';

const LOAD = { route: 'direct', generator: 'h2load', keepAlive: true, connections: 50, rate: null } as const;
const titleOf = (end: string, rate: number | null = null) =>
  caseTitle({
    ...{ service: 'go', endpoint: 'ping', key: `go/ping/direct/h2load/keep-alive/${end}` },
    load: { ...LOAD, rate },
  } as SeriesCase);

describe('the title of a case', () => {
  it.each([
    ['50', null, '50 connections'],
    ['50', 4200, '50 connections at 4,200/s'],
    ['50@60%', 4200, '50 connections at 60%'],
    ['50@2000ps', 2000, '50 connections at 2000ps'],
    ['50@max', null, '50 connections, closed loop'],
    ['50@vus', null, '50 connections, closed loop'],
  ])('says how it is loaded: %s', (end, rate, load) => {
    expect(titleOf(end, rate)).toBe(`go · ping · h2load · keep-alive on · ${load}`);
  });
});
