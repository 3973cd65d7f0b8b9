import type { PagesSource } from '../../../src/app/site-change.ts';

/** What a test's pages are made by. */
export const pagesSource: PagesSource = { tool: '0.1.0', server: 'https://github.com', site: () => [] };
