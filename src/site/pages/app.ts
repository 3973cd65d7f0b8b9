import * as z from 'zod/mini';
import { counted } from '../../core/format/figures.ts';
import { changed, searchOf, stateOf } from './address.ts';
import { dataFiles } from './data/files.ts';
import { specData } from './data/spec-data.ts';
import { element, failureNotice, notice, withRetry } from './element.ts';
import { type Page, type State, UnreadableData, type View } from './view.ts';
import { views } from './views/registry.ts';

/** The script of a spec's page: it reads the data beside it, and shows the view that the address names. */

// The page allows no code but its own files, and compiling a schema would be one.
z.config({ jitless: true });

const ownTitle = document.title;
const main = find('view');
const tabs = find('tabs');
const status = find('announcement');
const problems = element('div', { id: 'problems' });
main.before(problems);

function find(id: string): HTMLElement {
  const found = document.getElementById(id);
  if (found === null) throw new Error(`The page has no element ${id}.`);
  return found;
}

const state = () => stateOf(location.search);
const href = (changes: Parameters<Page['href']>[0]) => searchOf(changed(state(), changes));

/** The view that the address asks for: a commit by itself stands for its run. */
function wanted(asked: State): View | undefined {
  const name = asked.get('view') ?? (asked.has('commit') ? 'run' : undefined);
  return name === undefined ? views[0] : views.find((view) => view.name === name);
}

/** Files that are named when they cannot be read: where the network is gone, that is all of them. */
const MOST_NAMED = 3;
const complained = new Set<string>();
const others = notice('');

function complain(sentence: string, error: UnreadableData): void {
  if (complained.has(sentence)) return;
  complained.add(sentence);
  const more = complained.size - MOST_NAMED;
  if (more > 0) {
    others.textContent = `${counted(more, 'more file')} could not be read either.`;
    problems.append(others);
    return;
  }
  problems.append(withRetry(notice(sentence), error));
}

function noticeOf(error: unknown): HTMLElement {
  if (error instanceof UnreadableData) return failureNotice(error);
  const what = error instanceof Error ? error.message : String(error);
  return notice(
    `This view could not be drawn, which is a defect of wrkbench: ${what}. Reload this page; the other views may work.`,
  );
}

async function start(): Promise<void> {
  main.replaceChildren(element('p', { class: 'loading' }, 'Loading …'));
  let page: Page;
  try {
    const data = await specData(dataFiles(document.baseURI, fetch.bind(window)), complain);
    page = {
      data,
      go(changes, how = 'push') {
        const address = href(changes);
        if (how === 'push') history.pushState(null, '', address);
        else history.replaceState(null, '', address);
        if (how !== 'note') void show(page);
        else if (shown !== null) drawTabs(shown, page);
      },
      href,
      announce: (sentence) => {
        status.textContent = sentence;
      },
    };
  } catch (error) {
    main.replaceChildren(noticeOf(error));
    return;
  }
  window.addEventListener('popstate', () => void show(page));
  await show(page);
}

let shown: View | null = null;
let turn = 0;

async function show(page: Page): Promise<void> {
  turn += 1;
  const own = turn;
  const asked = state();
  const view = wanted(asked) ?? views[0]!;
  const isOther = shown !== null && shown !== view;
  shown = view;
  document.title = `${view.title} · ${ownTitle}`;
  drawTabs(view, page);
  // As high as before while it is drawn again, so that nothing below jumps; and whoever was at a control stays at it.
  const focused = document.activeElement?.id ?? '';
  const into = element('div', { class: `view ${view.name}` });
  main.style.minHeight = isOther ? '' : `${main.offsetHeight}px`;
  main.replaceChildren(into);
  try {
    await view.show(into, asked, page);
  } catch (error) {
    into.replaceChildren(element('h2', {}, view.title), noticeOf(error));
  }
  if (own !== turn) return;
  const unknown = asked.get('view');
  if (unknown !== undefined && unknown !== view.name) {
    into.prepend(notice(`This page has no view “${unknown.slice(0, 100)}”. This is ${view.title}.`));
  }
  main.style.minHeight = '';
  if (isOther) focusHeading(into);
  else if (focused !== '') document.getElementById(focused)?.focus({ preventScroll: true });
}

function focusHeading(into: HTMLElement): void {
  const heading = into.querySelector('h2');
  if (heading === null) return;
  heading.tabIndex = -1;
  heading.focus();
}

/** Links, so that each can be opened beside this page; what was chosen in one view stays for when it is come back to. */
function drawTabs(current: View, page: Page): void {
  const known = tabs.children.length > 0;
  if (!known) {
    tabs.append(
      ...views.map(({ name, title }) => {
        const link = element('a', { id: `tab-${name}` }, title);
        link.addEventListener('click', (event) => {
          if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
          event.preventDefault();
          page.go({ view: name, commit: null });
        });
        return link;
      }),
    );
  }
  for (const [place, { name }] of views.entries()) {
    const link = tabs.children[place] as HTMLAnchorElement;
    link.href = href({ view: name, commit: null });
    if (name === current.name) link.setAttribute('aria-current', 'page');
    else link.removeAttribute('aria-current');
  }
}

void start();
