import { githubHtml } from './github-html.ts';

/** A page like GitHub's with Markdown in it. `comment`: in the frame of a comment; else as a job's summary. */
export function githubPage(markdown: string, frame: 'comment' | 'summary'): string {
  const body = `<div class="markdown">${githubHtml(markdown)}</div>`;
  const head =
    frame === 'comment'
      ? '<div class="head"><b>github-actions</b> <span class="bot">bot</span> commented now</div>'
      : '<div class="head"><b>measure</b> summary</div>';
  return `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${frame}</title><style>${STYLE}</style><main class="${frame}"><section>${head}${body}</section></main></html>`;
}

/** Sizes and colours after GitHub's own, light and dark. */
const STYLE = `
:root { color-scheme: light dark; --text: #1f2328; --muted: #59636e; --page: #fff; --head: #f6f8fa; --line: #d1d9e0; --soft: #818b981f; --link: #0969da; --row: #f6f8fa; }
@media (prefers-color-scheme: dark) {
  :root { --text: #f0f6fc; --muted: #9198a1; --page: #0d1117; --head: #151b23; --line: #3d444d; --soft: #656c7633; --link: #4493f8; --row: #151b23; }
}
/* The emoji font has digits of its own. */
@font-face { font-family: Emoji; src: local("Noto Color Emoji"); unicode-range: U+26AA, U+274C, U+1F300-1FAFF; }
* { box-sizing: border-box; }
body { margin: 0; background: var(--page); color: var(--text); font: 14px/1.5 Emoji, "Liberation Sans", "DejaVu Sans", sans-serif; }
main { padding: 16px; max-width: 920px; margin: 0 auto; }
main.summary { max-width: 1100px; }
section { border: 1px solid var(--line); border-radius: 6px; overflow: hidden; }
.head { padding: 8px 16px; background: var(--head); border-bottom: 1px solid var(--line); color: var(--muted); }
.head b { color: var(--text); }
.bot { border: 1px solid var(--line); border-radius: 2em; padding: 0 7px; font-size: 12px; }
.markdown { padding: 16px; overflow-wrap: break-word; }
.markdown > :last-child { margin-bottom: 0; }
h2, h3, p, ul, table, pre, blockquote, details { margin: 0 0 16px; }
h2 { font-size: 1.5em; line-height: 1.25; padding-bottom: .3em; border-bottom: 1px solid var(--line); }
h3 { font-size: 1.25em; line-height: 1.25; }
ul { padding-left: 2em; }
a { color: var(--link); }
table { display: block; width: max-content; max-width: 100%; overflow: auto; border-spacing: 0; border-collapse: collapse; }
th, td { padding: 6px 13px; border: 1px solid var(--line); }
tr:nth-child(2n) td { background: var(--row); }
code { font: 85%/1.45 "Liberation Mono", "DejaVu Sans Mono", monospace; background: var(--soft); border-radius: 6px; padding: .2em .4em; white-space: break-spaces; }
pre { padding: 16px; overflow: auto; background: var(--head); border-radius: 6px; }
pre code { background: none; padding: 0; white-space: pre; }
blockquote { padding: 0 1em; border-left: .25em solid #bf8700; }
details summary { cursor: pointer; }
`;
