import { release, type } from 'node:os';
import { kernelText } from './kernel-files.ts';

/** What os-release tells: a name for people, and the families that its packages follow, the nearest first. */
export function readOperatingSystem(): { name: string; families: string[] } {
  return (
    operatingSystemIn(kernelText('/etc/os-release') ?? kernelText('/usr/lib/os-release') ?? '') ?? {
      name: `${type()} ${release()}`,
      families: [],
    }
  );
}

/** Null where the text is no os-release. */
export function operatingSystemIn(text: string): { name: string; families: string[] } | null {
  const field = (name: string) => new RegExp(`^${name}=["']?(.*?)["']?$`, 'm').exec(text)?.[1] ?? '';
  const name = field('PRETTY_NAME') || field('NAME');
  if (name === '') return null;
  return { name, families: [field('ID'), ...field('ID_LIKE').split(' ')].filter((family) => family !== '') };
}
