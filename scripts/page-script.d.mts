import type { BuildResult, Plugin } from 'esbuild';

type Page = BuildResult<{ write: false; metafile: true }>;
export function builtPage(): Promise<Page>;
export function pageScript(page: Page): Plugin;
