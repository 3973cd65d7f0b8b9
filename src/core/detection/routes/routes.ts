import { isNeverAsked } from '../asking/never-asked.ts';
import type { RepositoryFile } from '../files.ts';
import { fileRoutes } from './file-routes.ts';
import { goRoutes } from './go.ts';
import { javascriptRoutes, nestRoutes } from './javascript.ts';
import { aspnetRoutes, springRoutes } from './jvm.ts';
import { laravelRoutes, railsRoutes, rustRoutes } from './others.ts';
import { djangoRoutes, pythonRoutes } from './python.ts';
import { isHealthPath, type Route, unique } from './route.ts';

const READERS = [
  javascriptRoutes,
  nestRoutes,
  fileRoutes,
  pythonRoutes,
  djangoRoutes,
  goRoutes,
  springRoutes,
  railsRoutes,
  laravelRoutes,
  aspnetRoutes,
  rustRoutes,
];

/** What is longer was written by a tool. */
const LONGEST_SOURCE = 256 * 1024;

/** Every route that the code of some files declares, whatever the framework; health paths first. */
export function routesIn(files: readonly RepositoryFile[]): Route[] {
  const readable = files.filter(({ path, content }) => content.length <= LONGEST_SOURCE && !OF_TESTS.test(path));
  const all = unique(READERS.flatMap((read) => read(readable))).filter(
    // `[action]` is what a framework fills in with the name of each method.
    ({ path }) => !isNeverAsked(path) && !path.includes('['),
  );
  const isHealth = ({ method, path }: Route) => method === 'GET' && isHealthPath(path);
  return [...all.filter(isHealth), ...all.filter((route) => !isHealth(route))];
}

/** What stands in for something else while the code is tried. */
const OF_TESTS = /(?:^|[/_.-])(?:mocks?|stubs?|fakes?|testing|testutils?|test-?helpers?)(?:[/_.-]|$)/i;
