import { runInNewContext } from 'node:vm';

/**
 * A text with `${{ … }}` in it, as GitHub evaluates it: of its expressions those that our workflows use, paths, operators and
 * these functions. What a context lacks is empty.
 */
export function evaluated(text: string | boolean | undefined, contexts: Record<string, unknown>): string {
  return String(text ?? '').replaceAll(/\$\{\{([\s\S]*?)\}\}/g, (_, expression: string) => {
    const paths = /'[^']*'|\b(?:github|jobs|matrix|steps)(?:\.[\w-]+)+/g;
    const code = expression.replaceAll(paths, (each) => (each.startsWith("'") ? each : `at('${each}')`));
    return String(runInNewContext(code, { at: (path: string) => valueAt(contexts, path), format, startsWith }));
  });
}

function valueAt(contexts: unknown, path: string): unknown {
  const found = path.split('.').reduce((value, key) => (value as Record<string, unknown> | undefined)?.[key], contexts);
  return found ?? '';
}

const format = (text: string, ...values: unknown[]) =>
  text.replaceAll(/\{(\d+)\}/g, (_, index: string) => String(values[Number(index)]));
const startsWith = (text: unknown, start: string) => String(text).toLowerCase().startsWith(start.toLowerCase());
