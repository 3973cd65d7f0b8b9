import type { ResolvedSpec } from '../config/resolved.ts';
import { absent } from '../format/figures.ts';
import { type Inline, joined } from './document.ts';

/** What its spec says of a service, such as `Spring Boot 3.4 (Java)`, with the address as a link; a dash where that is nothing. */
export function aboutService({ services }: Pick<ResolvedSpec, 'services'>, wanted: string): Inline {
  const { title, language, framework, version, url } = services.find(({ name }) => name === wanted)?.about ?? {};
  const what = framework ?? language;
  const built = [what, version].filter((part) => part !== undefined).join(' ');
  const inLanguage = framework === undefined || language === undefined ? '' : `${built === '' ? '' : ' '}(${language})`;
  const words = [title, `${built}${inLanguage}`].filter((part) => part !== undefined && part !== '').join(', ');
  if (url === undefined) return words === '' ? absent : words;
  return words === '' ? { url, text: url } : joined([words, { url, text: withoutScheme(url) }], ', ');
}

function withoutScheme(url: string): string {
  return url.replace(/^https?:\/\//, '').replace(/\/$/, '');
}
