import { loadedPart } from '../loaded-part.ts';
import type { View } from '../view.ts';

/** In the order of their tabs; the first is what an address without `view` shows. Each is loaded when it is first wanted. */
export const views: readonly View[] = [
  {
    name: 'trend',
    title: 'Trend',
    show: async (into, state, page) => (await loadedPart(import('./trend/view.ts'))).showTrend(into, state, page),
  },
  {
    name: 'ranking',
    title: 'Ranking',
    show: async (into, state, page) => (await loadedPart(import('./ranking/index.ts'))).ranking.show(into, state, page),
  },
  {
    name: 'run',
    title: 'Run',
    show: async (into, state, page) => (await loadedPart(import('./run/index.ts'))).run.show(into, state, page),
  },
  {
    name: 'compare',
    title: 'Compare',
    show: async (into, state, page) => (await loadedPart(import('./compare/index.ts'))).compare.show(into, state, page),
  },
];
