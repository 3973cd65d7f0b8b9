import { palette, prefersDark } from '../../../palette.ts';

/** As the style sheet has them, a project's own over ours; on paper always light ones. */
export interface Colours {
  page: string;
  text: string;
  quiet: string;
  grid: string;
  bad: string;
  good: string;
  open: string;
  /** One for each line of a chart. */
  lines: readonly string[];
}

/** Each at least 3:1 against its page, and told apart by people who see no red or green by their lightness. */
const light = ['#0969da', '#b35900', '#1a7f37', '#8250df', '#a01b62', '#57606a'];
const dark = ['#58a6ff', '#e3a23b', '#56d364', '#bc8cff', '#ff7eb6', '#9aa4af'];

export function coloursOf(printing: boolean): Colours {
  const isDark = prefersDark.matches && !printing;
  const style = getComputedStyle(document.documentElement);
  const own = (name: string, fallback: string) =>
    printing ? fallback : style.getPropertyValue(name).trim() || fallback;
  const fallback = palette(printing);
  const lines = isDark ? dark : light;
  return {
    page: own('--page', '#ffffff'),
    text: own('--text', fallback.text),
    quiet: own('--quiet', fallback.quiet),
    grid: own('--line', fallback.grid),
    bad: own('--bad', fallback.invalid),
    good: own('--good', '#116329'),
    open: own('--open', '#7d4e00'),
    lines: [own('--accent', lines[0]!), ...lines.slice(1)],
  };
}
