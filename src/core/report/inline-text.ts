import { visible } from '../format/text.ts';
import type { Inline } from './document.ts';

/** Words without markup: for places that take none. Marks are left out, since what stands beside them says the same. */
export function inlineText(content: Inline): string {
  if (typeof content === 'string') return visible(content);
  if (Array.isArray(content)) return content.map(inlineText).join('');
  if ('code' in content) return visible(content.code);
  if ('strong' in content) return inlineText(content.strong);
  return 'mark' in content ? '' : visible(content.text);
}
