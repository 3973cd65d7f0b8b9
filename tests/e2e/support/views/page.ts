import * as z from 'zod';
import type { PublishedTexts } from '../../../../src/core/publication/raw-text.ts';
import { readRunRecord } from '../../../../src/core/record/run-record-file.ts';
import { UserError } from '../../../../src/core/user-error.ts';
import { type Page, type RunEntry, UnloadedData, UnreadableData, type View } from '../../../../src/site/pages/view.ts';
import type { HarnessData } from './data.ts';

/** A page with nothing but one view at a time: what the views are tried in, without the loader and the frame of the published one. */

// As on the published page, whose policy allows no code but its files.
z.config({ jitless: true });

const data = (await (await fetch('data.json')).json()) as HarnessData;
const views: Record<string, () => Promise<View>> = {
  ranking: async () => (await import('../../../../src/site/pages/views/ranking/index.ts')).ranking,
  run: async () => (await import('../../../../src/site/pages/views/run/index.ts')).run,
  compare: async () => (await import('../../../../src/site/pages/views/compare/index.ts')).compare,
};
const main = document.querySelector('main')!;
const status = document.getElementById('announcement')!;
/** In pieces of this many runs, the newest first. */
let fetched = data.firstFetch;

const entries = data.entries.map((entry): RunEntry => ({ ...entry, piece: data.piece }));
const fetchedRuns = () => entries.slice(Math.max(0, entries.length - fetched));

const page: Page = {
  data: {
    manifest: data.manifest,
    runs: fetchedRuns,
    async fetchRuns(enough) {
      while (!enough(fetchedRuns()) && fetched < entries.length) fetched += data.firstFetch;
    },
    async run({ id }) {
      const answer = await fetch(`runs/${id}.json`);
      try {
        return readRunRecord(await answer.text(), `runs/${id}.json`);
      } catch (error) {
        if (error instanceof UserError) throw new UnreadableData(error.message);
        throw error;
      }
    },
    async rawTexts({ id }) {
      const answer = await fetch(`runs/${id}.raw.json`);
      if (!answer.ok)
        throw new UnloadedData(`${id}.raw.json could not be loaded: the server answered ${answer.status}.`);
      return (await answer.json()) as PublishedTexts;
    },
  },
  go(changes, how = 'push') {
    const address = page.href(changes);
    if (how === 'push') history.pushState(null, '', address);
    else history.replaceState(null, '', address);
    void show();
  },
  href(changes) {
    const search = new URLSearchParams(location.search);
    for (const [key, value] of Object.entries(changes)) {
      if (value === null) search.delete(key);
      else search.set(key, value);
    }
    return `?${search}`;
  },
  announce(sentence) {
    status.textContent = sentence;
  },
};

async function show(): Promise<void> {
  const state = new Map(new URLSearchParams(location.search));
  const name = state.get('view') ?? 'ranking';
  const focused = document.activeElement?.id ?? '';
  const into = document.createElement('div');
  into.className = `view ${name}`;
  main.removeAttribute('data-drawn');
  main.replaceChildren(into);
  const view = await views[name]!();
  try {
    await view.show(into, state, page);
  } catch (error) {
    into.textContent = `thrown: ${error}`;
    throw error;
  }
  if (focused !== '') document.getElementById(focused)?.focus();
  main.setAttribute('data-drawn', location.search);
}

window.addEventListener('popstate', () => void show());
await show();
