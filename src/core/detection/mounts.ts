/** What a compose file puts into a container from outside its image. */
import type { ComposeProject } from './compose-project.ts';
import { asList, asMap, textOf } from './files.ts';

export interface Mount {
  /** `volume`: a folder that begins empty, whoever keeps it; `bind`: of the machine that the compose file is on. */
  kind: 'bind' | 'volume';
  /** Of a bind mount, relative to the repository; null where it is outside of it. */
  source: string | null;
  /** As it is written. */
  written: string;
  /** In the container. */
  target: string;
  /** A volume that has a name: somebody wants what is in it. */
  isNamed: boolean;
  isReadOnly: boolean;
  /** A secret or a configuration: it can be nothing but a file. */
  isFile: boolean;
}

/** Volumes, secrets and configurations, the last one at each place. */
export function mountsOf(written: Record<string, unknown>, project: ComposeProject): Mount[] {
  const given = (['secrets', 'configs'] as const).flatMap((section) =>
    asList(written[section]).flatMap((each) => givenOf(each, section, project)),
  );
  const temporary = [written.tmpfs ?? []].flat().map((each): Mount => {
    const target = textOf(each).replace(/:.*$/, '');
    return { kind: 'volume', source: null, written: target, target, isNamed: false, isReadOnly: false, isFile: false };
  });
  const all = [...asList(written.volumes).map((each) => mountOf(each, project)), ...temporary, ...given];
  const byTarget = new Map(all.map((mount) => [mount.target, mount]));
  return [...byTarget.values()].filter(({ target }) => target.startsWith('/'));
}

function mountOf(volume: unknown, { place }: ComposeProject): Mount {
  if (typeof volume === 'string') {
    const [from = '', to, mode = ''] = volume.split(':');
    const isBind = to !== undefined && /^[./~]/.test(from);
    const path = isBind ? place(from) : null;
    return {
      kind: isBind ? 'bind' : 'volume',
      source: path,
      written: `${path ?? from}:${to ?? from}`.slice(0, 200),
      target: plainTarget(to ?? from),
      isNamed: to !== undefined && !isBind,
      isReadOnly: mode.split(',').includes('ro'),
      isFile: false,
    };
  }
  const { type, source, target, read_only: isReadOnly } = asMap(volume);
  const path = type === 'bind' ? place(source) : null;
  return {
    kind: type === 'bind' ? 'bind' : 'volume',
    source: path,
    written: `${path ?? (textOf(source) === '' ? textOf(target) : textOf(source))}:${textOf(target)}`.slice(0, 200),
    target: plainTarget(textOf(target)),
    isNamed: type === 'volume' && textOf(source) !== '',
    isReadOnly: isReadOnly === true,
    isFile: false,
  };
}

function plainTarget(target: string): string {
  return target.length > 1 ? target.replace(/(?<!\/)\/+$/, '') : target;
}

/** A file by the name that the top of the compose file gives it. */
function givenOf(each: unknown, section: 'secrets' | 'configs', { given }: ComposeProject): Mount[] {
  const { source, target } = typeof each === 'string' ? { source: each, target: undefined } : asMap(each);
  const name = textOf(source);
  const place = textOf(target) === '' ? name : textOf(target);
  const usual = section === 'secrets' ? '/run/secrets' : '';
  return [
    {
      kind: 'bind',
      source: given[section].get(name) ?? null,
      written: `${section.slice(0, -1)} ${name}`.slice(0, 200),
      target: plainTarget(place.startsWith('/') ? place : `${usual}/${place}`),
      isNamed: false,
      isReadOnly: true,
      isFile: true,
    },
  ];
}
