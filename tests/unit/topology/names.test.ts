import { describe, expect, it } from 'vitest';
import { buildTag, cgroupParent, testbedNames } from '../../../src/core/topology/names.ts';

const identity = { runId: '2026-07-01T10:00Z_ab', service: 'Go API', variant: 'candidate', round: 2 } as const;

describe('the names of a round', () => {
  it('begin with run, service, variant and number, fit for the engine', () => {
    expect(testbedNames(identity)).toEqual({
      base: 'wrkbench-2026-07-01t10-00z-ab-go-api-candidate-2',
      applicationNetwork: 'wrkbench-2026-07-01t10-00z-ab-go-api-candidate-2-app',
      databaseNetwork: 'wrkbench-2026-07-01t10-00z-ab-go-api-candidate-2-db',
      service: 'wrkbench-2026-07-01t10-00z-ab-go-api-candidate-2-service',
      database: 'wrkbench-2026-07-01t10-00z-ab-go-api-candidate-2-database',
      pooler: 'wrkbench-2026-07-01t10-00z-ab-go-api-candidate-2-pooler',
      gateway: 'wrkbench-2026-07-01t10-00z-ab-go-api-candidate-2-gateway',
      dependencies: {},
    });
  });

  it('stay names where a part holds no letter or digit', () => {
    expect(testbedNames({ ...identity, runId: '---', service: 'Сервер' }).base).toBe('wrkbench-x-x-candidate-2');
  });

  it('give a path to the cgroupfs driver, and a slice that stays one level below wrkbench.slice to systemd’s', () => {
    expect(cgroupParent(identity, 'cgroupfs', true)).toBe('/wrkbench/wrkbench-2026-07-01t10-00z-ab-go-api-candidate-2');
    expect(cgroupParent(identity, 'systemd', true)).toBe('wrkbench-candidate_2.slice');
  });

  it('leave the run out of a path that stays, since only root may remove it', () => {
    expect(cgroupParent(identity, 'cgroupfs', false)).toBe('/wrkbench/candidate_2');
  });

  it('give a build a tag that says whose it is', () => {
    expect(buildTag('rest-api', 'Node.js 24')).toBe('wrkbench-build/rest-api/node-js-24:latest');
    expect(buildTag('rest-api', 'go', 3)).toBe('wrkbench-build/rest-api/go:build-3');
  });
});
