export type ScriptLanguage = 'js' | 'lua';

export interface ScriptReferences {
  /** What may be names of files: of each the paths that it may have, the first that is there counts. */
  named: string[][];
  /** Without which the script ends at once. */
  needed: string[];
  /** It opens files whose names it makes up. */
  computed: boolean;
}

const STRING = `'(?:\\\\.|[^'\\\\\\n])*'?|"(?:\\\\.|[^"\\\\\\n])*"?`;
/** Comments, and strings. What is not closed ends with the text, so that each is looked at once. */
const TOKENS: Record<ScriptLanguage, RegExp> = {
  js: new RegExp(`//[^\\n]*|/\\*(?:[\\s\\S]*?\\*/|[\\s\\S]*)|${STRING}|\`(?:\\\\[\\s\\S]|[^\`\\\\])*\``, 'g'),
  lua: new RegExp(
    `--\\[(=*)\\[(?:[\\s\\S]*?\\]\\1\\]|[\\s\\S]*)|--[^\\n]*|${STRING}|\\[(=*)\\[(?:[\\s\\S]*?\\]\\2\\]|[\\s\\S]*)`,
    'g',
  ),
};
/** A string in the text that is looked through: its number, between two characters that no script has. */
const PLACE = '\uE000(\\d+)\uE001';
/** A string that something is put behind is no name yet. */
const WHOLE = `${PLACE}(?!\\s*(?:\\.\\.|\\+))`;
const NEEDED: Record<ScriptLanguage, RegExp[]> = {
  js: [
    new RegExp(`(?<![.\\w])open\\s*\\(\\s*${WHOLE}`, 'g'),
    new RegExp(`\\b(?:from|import)\\s*${WHOLE}`, 'g'),
    new RegExp(`\\b(?:import|require)\\s*\\(\\s*${WHOLE}`, 'g'),
  ],
  lua: [
    new RegExp(`\\b(?:dofile|io\\s*\\.\\s*lines)\\s*\\(?\\s*${WHOLE}`, 'g'),
    new RegExp(`\\bassert\\s*\\(\\s*io\\s*\\.\\s*open\\s*\\(\\s*${WHOLE}\\s*\\)`, 'g'),
  ],
};
const COMPUTED: Record<ScriptLanguage, RegExp> = {
  js: /(?<![.\w])(?<!\bfunction\s+)(?:open|require|import)\s*\(\s*(?!\uE000\d+\uE001\s*[,)])[^\s)]/g,
  lua: /\b(?:dofile|loadfile|require|io\s*\.\s*(?:open|lines))\s*\(\s*(?!\uE000\d+\uE001\s*[,)])[^\s)]/g,
};
const LUA_MODULE = new RegExp(`\\brequire\\s*\\(?\\s*${PLACE}`, 'g');
/** Ours, of which k6's scripts are told. */
const BODY_FILE = /\bWRKBENCH_BODY_FILE\b/g;
const LONGEST_NAME = 200;

/** What a script's text says of the files that it reads; what a program alone can know is only guessed at. */
export function referencesIn(text: string, language: ScriptLanguage): ScriptReferences {
  const strings: string[] = [];
  let code = '';
  let end = 0;
  for (const { 0: token, index } of text.matchAll(TOKENS[language])) {
    const content = contentOf(token);
    // What is put together at run time is no name yet.
    const isName = content !== null && !content.includes('${');
    code +=
      text.slice(end, index) + (content === null ? ' ' : isName ? `\uE000${strings.push(content) - 1}\uE001` : '``');
    end = index + token.length;
  }
  code += text.slice(end);
  const stringsAt = (pattern: RegExp) => [...code.matchAll(pattern)].map(([, number]) => strings[Number(number)]!);
  const modules = language === 'lua' ? stringsAt(LUA_MODULE).map((name) => name.replaceAll('.', '/')) : [];
  const opened = code.match(COMPUTED[language])?.length ?? 0;
  return {
    named: [...new Set(strings.filter(isPlainName))]
      .map((name) => [name])
      .concat(modules.filter(isPlainName).map((name) => [`${name}.lua`, `${name}/init.lua`])),
    needed: NEEDED[language].flatMap((pattern, index) =>
      // Only `open` takes a name without a dot in front for a file.
      stringsAt(pattern).filter(
        (name) => isPlainName(name) && (language === 'lua' || index === 0 || /^\.\.?\//.test(name)),
      ),
    ),
    computed: opened > (text.match(BODY_FILE)?.length ?? 0),
  };
}

/** Null for a comment. */
function contentOf(token: string): string | null {
  if (/^['"`]/.test(token)) return token.length > 1 && token.at(-1) === token[0] ? token.slice(1, -1) : '';
  const long = /^\[=*\[([\s\S]*)\]=*\]$/.exec(token);
  return long === null ? null : long[1]!;
}

/** Relative, on one line, and no address. */
function isPlainName(text: string): boolean {
  return text.length <= LONGEST_NAME && /^(?![/.]*$)(?!\/)[^\p{Cc}\\*?:]+$/u.test(text);
}
