import type { BuildResult, Metafile } from 'esbuild';

type Page = BuildResult<{ write: false; metafile: true }>;
export function builtPage(): Promise<Page>;
export function builtPages(): Promise<{ metafile: Metafile; files: { name: string; content: string }[] }>;
