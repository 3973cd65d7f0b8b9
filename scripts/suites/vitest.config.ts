import { defineConfig } from 'vitest/config';
import { textTemplatesForVite } from '../text-templates.mjs';

/** The servers of the suites, one at a time; `npm test` has only those that need next to no preparation. */
export default defineConfig({
  plugins: [textTemplatesForVite],
  test: {
    include: ['tests/integration/suites/*.check.ts'],
    fileParallelism: false,
    testTimeout: 120_000,
    hookTimeout: 180_000,
  },
});
