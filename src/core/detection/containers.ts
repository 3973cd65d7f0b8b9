/** What is put into a container, as a spec can hold it. */
import { containerPath } from '../config/container-keys.ts';
import { relativePath } from '../values/scalars.ts';
import type { Checkout } from './checkout.ts';
import type { ComposeService } from './compose.ts';
import type { LeftOut } from './files.ts';
import type { Mount } from './mounts.ts';

export interface ContainerSign {
  /** File of the checkout → where it is put. */
  files: [string, string][];
  volumes: string[];
  leftOut: LeftOut[];
}

/** As many as a spec takes. */
const MOST_FILES = 64;
const MOST_VOLUMES = 16;
/** Of a folder; with more it is no configuration. */
const MOST_OF_FOLDER = 20;

/** Folders that an image fills itself: an empty one in their place would take away what is in it. */
const FILLED =
  /\/(?:node_modules|vendor|\.?venv|static\w*|staticfiles|public|assets|dist|build|target|\.next|\.nuxt|bin|lib|site-packages)(?:$|\/)/;

/** What tests, tools and logs leave: nobody needs it empty either. */
const LEAVINGS = /\/(?:htmlcov|coverage|logs?|reports?|test-results|\.\w+)(?:$|\/)/;

/** What an image that is built here holds by itself: mounted, it is what somebody works on. */
const CODE = /\.(?:[cm]?[jt]sx?|vue|svelte|py|go|rb|php|java|kt|cs|rs|ex|html|s?css)$|(?:^|\/)package(?:-lock)?\.json$/;

/** `isBuilt`: its image holds its program, which a folder of the repository must not be put over. */
export function containerOf(own: ComposeService, checkout: Checkout, isBuilt: boolean): ContainerSign {
  const files: [string, string][] = [];
  const volumes: string[] = [];
  const folders: Mount[] = [];
  const absent: Mount[] = [];
  for (const mount of own.mounts) {
    const { kind, source, target, isNamed } = mount;
    if (LEAVINGS.test(target) || (own.health?.words ?? []).some((word) => word.startsWith(`${target}/`))) continue;
    if (kind === 'volume') {
      if (isNamed || !isBuilt || !FILLED.test(target)) volumes.push(target);
    } else if (mount.isFile && (source === null || checkout.kind(source) !== 'file')) absent.push(mount);
    else if (source !== null && kindOf(source, checkout) === 'file') {
      if (!isBuilt || !CODE.test(source)) files.push([source, target]);
    } else if (source !== null && checkout.kind(source) === 'folder') {
      const below = checkout.filesBelow(source);
      const isCode = isBuilt && (!mount.isReadOnly || below.some((file) => CODE.test(file)));
      const isConfiguration = !isCode && source !== '.' && below.length <= MOST_OF_FOLDER;
      if (!isConfiguration) folders.push(mount);
      else files.push(...below.map((file): [string, string] => [file, `${target}/${file.slice(source.length + 1)}`]));
    } else if (checkout.isKnown && source !== null && !/\.\w{1,6}$/.test(source)) {
      // No checkout has the folder: it is where data are kept.
      volumes.push(target);
    } else if (source === null || !checkout.isKnown || checkout.kind(source) !== null) folders.push(mount);
  }
  const isWritable = (path: string) => containerPath.safeParse(path).success;
  const right = files.filter(([file, place]) => relativePath.safeParse(file).success && isWritable(place));
  const distinct = [...new Map(right).entries()].slice(0, MOST_FILES);
  const empty = volumes.filter((path) => isWritable(path) && !(isBuilt && FILLED.test(path)));
  return {
    files: distinct,
    volumes: [...new Set(empty)].filter((path) => path !== '/tmp').slice(0, MOST_VOLUMES),
    leftOut: [
      ...absentFiles(absent, own),
      ...folders
        .filter(({ target }) => !/^\/var\/run\/docker\.sock$|^\/etc\/(?:localtime|timezone)$/.test(target))
        .map(({ written }) => ({
          what: `${written} of ${own.key} (${own.from})`,
          why: isBuilt
            ? 'no folder is mounted: it runs with what its image holds'
            : 'no folder is mounted into what stands beside a service: name its files in `files`',
          kind: 'file' as const,
          short: written,
        })),
    ],
  };
}

function absentFiles(mounts: readonly Mount[], { key, from }: ComposeService): LeftOut[] {
  return mounts.map(({ written, target }) => ({
    what: `${written} of ${key} (${from})`,
    why: `it is read from ${target}, and no checkout has its file: name one in \`files\``,
    kind: 'needed',
  }));
}

/** Where nobody knows what is checked in, what has an ending is a file. */
function kindOf(source: string, checkout: Checkout): 'file' | 'folder' | null {
  if (checkout.isKnown) return checkout.kind(source);
  return /\.\w{1,6}$/.test(source) ? 'file' : null;
}

/** Keys of a compose file that a spec has nothing for. */
export function extrasOf({ key, from, extras }: ComposeService): LeftOut[] {
  if (extras.length === 0) return [];
  return [{ what: `${extras.join(', ')} of ${key} (${from})`, why: 'it runs without: no spec has that', kind: 'file' }];
}
