import { defineConfig } from 'vitest/config';

/** `unit` needs nothing but Node.js; the others drive real tools, so they run one file at a time. */
export default defineConfig({
  test: {
    projects: [
      // What is pure leaves nothing behind that another file could trip over, and loading it once is most of the time.
      { test: { name: 'unit', include: ['tests/unit/**/*.test.ts'], isolate: false } },
      {
        test: {
          name: 'real',
          include: ['tests/{contract,integration,e2e}/**/*.test.ts'],
          fileParallelism: false,
          testTimeout: 120_000,
          hookTimeout: 180_000,
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
