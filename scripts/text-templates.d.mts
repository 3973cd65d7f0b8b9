import type { Plugin as EsbuildPlugin } from 'esbuild';
import type { Plugin as VitePlugin } from 'vite';

export declare const textTemplates: EsbuildPlugin;
export declare const textTemplatesForVite: VitePlugin;
