import { defineConfig } from 'vitest/config';
import { textTemplatesForVite } from './scripts/text-templates.mjs';

/** Tests that load next to nothing, and take nothing that another could want; most of their time they wait. */
const PARALLEL = [
  'tests/contract/{compose-config,compose-reading,data-branch,record-history,run-store,testbed-docker,testbed-process}.test.ts',
  'tests/integration/docker/{build-secrets,container-keys,database-template-settings,engine,engine-unanswering,failures,part,registry-login,remote-context,runner-container,service-testbed,sweep}.test.ts',
  'tests/integration/machine/{environment,facts,source,spec-path}.test.ts',
  'tests/integration/generators/{cut-connections,failures,k6-options,script-companions,scripts-as-nobody,start-limit}.test.ts',
  'tests/integration/process/{command,machine-lock,observation}.test.ts',
  'tests/integration/process-runtime/{database-testbed,service-testbed}.test.ts',
  'tests/integration/sampling/cgroup.test.ts',
  'tests/integration/{actions,files,git,github,http,postgres,suites,terminal,tools,workflows}/**/*.test.ts',
  'tests/e2e/{compare,import,package,publish,serve,verbs}.test.ts',
];

/**
 * Chromium gives up what it is loading whenever an address of the machine changes, as it does with each network of a container:
 * https://issues.chromium.org/issues/41465264. So these run when no container starts.
 */
const BROWSER = ['tests/e2e/{pages-raw-texts,pages-views,published-pages,report-page,trend-anchor}.test.ts'];

/** Of what takes longer, what may run side by side as well: with containers, and in a browser. */
const FULL_PARALLEL = [
  'tests/full/{large-repository,long-runs,release,report-faults}.test.ts',
  'tests/full/docker/{builds,database-template,removal,whole-testbed}.test.ts',
];
const FULL_BROWSER = [
  'tests/full/{nightly-page,pages-views-accessible,report-page-accessible,report-page-of-all-records,report-page-reading,trend-controls,trend-on-screens}.test.ts',
];

/** What lacks a tool here, by scripts/test.mjs: a project that leaves out something itself does not heed `--exclude`. */
const LEFT_OUT = (process.env.WRKBENCH_LEFT_OUT ?? '').split('\n').filter(Boolean);

const timeouts = { testTimeout: 120_000, hookTimeout: 180_000 };

/** `unit` needs nothing but Node.js; the others drive real tools. */
export default defineConfig({
  plugins: [textTemplatesForVite],
  test: {
    projects: [
      // What is pure leaves nothing behind that another file could trip over, and loading it once is most of the time.
      {
        extends: true,
        test: {
          name: 'unit',
          include: ['tests/unit/**/*.test.ts'],
          isolate: false,
          maxWorkers: '100%',
          // What simulates takes two seconds on a slow machine, and the usual 5 where something else loads it.
          testTimeout: 60_000,
        },
      },
      // More than there are cores on small machines, since they wait as long as they work. Files of a worker share its modules:
      // to load them anew was a quarter of the CPU time of the tests of the forge.
      {
        extends: true,
        test: {
          name: 'parallel',
          include: PARALLEL,
          exclude: LEFT_OUT,
          setupFiles: ['tests/support/temporary-folder.ts'],
          isolate: false,
          maxWorkers: 4,
          sequence: { groupOrder: 1 },
          ...timeouts,
        },
      },
      {
        extends: true,
        test: {
          name: 'browser',
          include: BROWSER,
          exclude: LEFT_OUT,
          setupFiles: ['tests/support/temporary-folder.ts'],
          isolate: false,
          maxWorkers: 4,
          sequence: { groupOrder: 2 },
          ...timeouts,
        },
      },
      // They load the machine, and look at what is left on it: one at a time, after all others.
      {
        extends: true,
        test: {
          name: 'serial',
          include: ['tests/{contract,integration,e2e}/**/*.test.ts'],
          exclude: [...PARALLEL, ...BROWSER, ...LEFT_OUT],
          fileParallelism: false,
          isolate: false,
          sequence: { groupOrder: 3 },
          ...timeouts,
        },
      },
      // What every change cannot wait for: `npm run test:full`, and a part of it in `.ci/run`. In three projects as above.
      {
        extends: true,
        test: {
          name: 'full-parallel',
          include: FULL_PARALLEL,
          exclude: LEFT_OUT,
          setupFiles: ['tests/support/temporary-folder.ts'],
          isolate: false,
          maxWorkers: 4,
          sequence: { groupOrder: 4 },
          ...timeouts,
        },
      },
      {
        extends: true,
        test: {
          name: 'full-browser',
          include: FULL_BROWSER,
          exclude: LEFT_OUT,
          setupFiles: ['tests/support/temporary-folder.ts'],
          isolate: false,
          maxWorkers: 4,
          sequence: { groupOrder: 5 },
          ...timeouts,
        },
      },
      {
        extends: true,
        test: {
          name: 'full-serial',
          include: ['tests/full/**/*.test.ts'],
          exclude: [...FULL_PARALLEL, ...FULL_BROWSER, ...LEFT_OUT],
          fileParallelism: false,
          isolate: false,
          sequence: { groupOrder: 6 },
          ...timeouts,
        },
      },
    ],
    coverage: {
      provider: 'v8',
      include: ['src/core/**'],
      reporter: ['text-summary', 'json-summary'],
      thresholds: { statements: 95 },
    },
  },
});
