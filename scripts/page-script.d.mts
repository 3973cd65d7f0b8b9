import type { BuildResult, Metafile, Plugin } from 'esbuild';

type Page = BuildResult<{ write: false; metafile: true }>;
export function builtPage(): Promise<Page>;
export function pageScript(page: Page): Plugin;
export const pageScriptApart: Plugin;
export function pageScriptModule(page: Page): string;
export function builtPages(): Promise<{ metafile: Metafile; files: { name: string; content: string }[] }>;
