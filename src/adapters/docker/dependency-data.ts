import type { Dependency } from '../../core/config/dependency.ts';
import type { PartProgram } from '../../core/topology/part-plan.ts';
import type { Engine } from './engine.ts';
import { imageProgram } from './images.ts';
import type { PartFrame } from './part.ts';
import { createVolume } from './volumes.ts';

/** What lies in one of a dependency's `volumes`, at rest in a volume of the engine. */
interface KeptFolder {
  volume: string;
  /** Path in the container. */
  folder: string;
}

/** By the names of those that have `volumes`. */
export type DependencyData = Readonly<Record<string, readonly KeptFolder[]>>;

/** How a container comes by the data in its folders: it writes them to the volumes, or begins with a copy of them in memory. */
export interface FolderData {
  way: 'kept' | 'copied';
  folders: readonly KeptFolder[];
}

export function dependencyVolumes(data: DependencyData): string[] {
  return Object.values(data).flatMap((folders) => folders.map(({ volume }) => volume));
}

/** Empty volumes for all that dependencies keep, named after `volume`; whoever runs in their containers may write to them. */
export async function emptyDependencyData(
  engine: Engine,
  dependencies: readonly Dependency[],
  imageOf: (dependency: Dependency) => string,
  volume: string,
  frame: PartFrame,
): Promise<DependencyData> {
  const data: Record<string, KeptFolder[]> = {};
  for (const dependency of dependencies) {
    const { name, volumes = [] } = dependency;
    if (volumes.length === 0) continue;
    data[name] = volumes.map((folder, index) => ({ folder, volume: `${volume}-${name}-${index + 1}` }));
    for (const { volume: each } of data[name]) {
      await createVolume(engine, each, frame);
      // A new volume is root's, and a folder in memory everybody's.
      const mount = ['--mount', `type=volume,source=${each},target=${OPENED}`];
      const fixed = [
        '--rm',
        '--network',
        'none',
        '--user',
        '0:0',
        '--pull',
        'never',
        '--cap-drop',
        'ALL',
        '--cap-add',
        'FOWNER',
      ];
      const labels = Object.entries(frame.labels).flatMap(([label, value]) => ['--label', `${label}=${value}`]);
      await engine.call([
        'run',
        ...fixed,
        ...labels,
        ...mount,
        '--entrypoint',
        'chmod',
        imageOf(dependency),
        '1777',
        OPENED,
      ]);
    }
  }
  return data;
}

const OPENED = '/wrkbench-volume';
const TEMPLATES = '/var/lib/wrkbench-template';

/** Folders of memory and volumes that a container has for its data. */
export function mountsOf({ way, folders }: FolderData): {
  memoryFolders: string[];
  volumes: { name: string; folder: string; isReadOnly: boolean }[];
} {
  if (way === 'kept') {
    return {
      memoryFolders: [],
      volumes: folders.map(({ volume: name, folder }) => ({ name, folder, isReadOnly: false })),
    };
  }
  return {
    memoryFolders: folders.map(({ folder }) => `${folder}:mode=1777`),
    volumes: folders.map(({ volume: name }, index) => ({ name, folder: `${TEMPLATES}/${index}`, isReadOnly: true })),
  };
}

/** The program behind what copies its data first, whoever the image's user is; as it is where they are not copied. */
export async function behindCopy(
  engine: Engine,
  image: string,
  program: PartProgram,
  { way, folders }: FolderData,
): Promise<PartProgram> {
  if (way === 'kept' || folders.length === 0) return program;
  const ofImage = await imageProgram(engine, image);
  const entrypoint = program.entrypoint ?? ofImage.entrypoint;
  const command = program.command.length > 0 || program.entrypoint !== null ? program.command : ofImage.command;
  const copy = folders.map(({ folder }, index) => copyAll(`${TEMPLATES}/${index}`, folder)).join(' && ');
  const script = `${copy} && exec "$@"`;
  return { ...program, entrypoint: ['sh', '-c', script, 'sh'], command: [...entrypoint, ...command] };
}

/** Each by itself: the folder's own owner and mode are not for everybody to set. */
function copyAll(from: string, to: string): string {
  return `for each in ${from}/* ${from}/.[!.]*; do if [ -e "$each" ]; then cp -a "$each" '${to}/' || exit 1; fi; done`;
}
