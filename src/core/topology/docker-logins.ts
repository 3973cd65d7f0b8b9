/** Logins of registries, as the configuration file of the `docker` command holds them: `auths`, and helpers that keep them elsewhere. */
import { DOCKER_HUB } from './registry-access.ts';

/** What a registry lets somebody in by. */
export interface RegistryLogin {
  /** `ghcr.io`, `docker.io` or `127.0.0.1:5000`. */
  registry: string;
  username: string;
  password: string;
}

/** What Docker Hub is called in the file. */
const DOCKER_HUB_ENTRY = 'https://index.docker.io/v1/';

/** The content of the file, a map of anything; empty where it is none. */
type Config = Record<string, unknown>;

/** The file with these logins, each in place of what it has for the same registry, also in a credential helper. */
export function configWith(text: string, logins: readonly RegistryLogin[]): string {
  const config = configOf(text);
  const auths = logins.map(({ registry, username, password }) => [
    entryOf(registry),
    { auth: base64Of(`${username}:${password}`) },
  ]);
  // An empty name stands for the file itself, whatever is said of all other registries.
  const own = logins.map(({ registry }) => [entryOf(registry), '']);
  const helpers = 'credsStore' in config || 'credHelpers' in config;
  return written({
    ...config,
    auths: { ...mapIn(config, 'auths'), ...Object.fromEntries(auths) },
    ...(helpers ? { credHelpers: { ...mapIn(config, 'credHelpers'), ...Object.fromEntries(own) } } : {}),
  });
}

/** The file without any login, and without the helpers that have some. */
export function configWithoutLogins(text: string): string {
  const { auths: _, credsStore: __, ...config } = configOf(text);
  // Where a file names neither a login nor a helper, the command looks for the helper of the system by itself.
  return written({ ...config, credHelpers: { 'registry.invalid': '' } });
}

/** Of the file no more than the logins that stand in it as they are; null where none does. */
export function onlyLogins(text: string): string | null {
  const auths = Object.entries(mapIn(configOf(text), 'auths')).filter(([, entry]) => isLogin(entry));
  return auths.length === 0 ? null : written({ auths: Object.fromEntries(auths) });
}

/** Passwords of the logins that stand in the file, and each as the file holds it. */
export function passwordsIn(text: string): string[] {
  return Object.values(mapIn(configOf(text), 'auths')).flatMap((entry) => {
    if (!isLogin(entry)) return [];
    const { auth = '', password, identitytoken } = entry;
    const [, ofAuth] = /^[^:]*:(.*)$/s.exec(textOf(auth)) ?? [];
    return [auth, ofAuth, password, identitytoken].flatMap((each) => (each ? [each] : []));
  });
}

/** Whether the file, or a helper that it names, has a login for the registry. */
export function hasLogin(text: string, registry: string): boolean {
  const config = configOf(text);
  const helper = Object.entries(mapIn(config, 'credHelpers')).find(([entry]) => registryOfEntry(entry) === registry);
  if (helper !== undefined && helper[1] !== '') return true;
  // Of what a store holds for all registries, an empty entry remains.
  return Object.keys(mapIn(config, 'auths')).some((entry) => registryOfEntry(entry) === registry);
}

interface Login {
  auth?: string;
  password?: string;
  identitytoken?: string;
}

function isLogin(entry: unknown): entry is Login {
  if (entry === null || typeof entry !== 'object') return false;
  const texts = ['auth', 'password', 'identitytoken'].map((name) => (entry as Record<string, unknown>)[name]);
  return texts.some((text) => typeof text === 'string' && text !== '') && texts.every(isTextOrAbsent);
}

function isTextOrAbsent(value: unknown): boolean {
  return value === undefined || typeof value === 'string';
}

function entryOf(registry: string): string {
  return registry === DOCKER_HUB ? DOCKER_HUB_ENTRY : registry;
}

/** Older commands have written addresses there. */
function registryOfEntry(entry: string): string {
  if (entry === DOCKER_HUB_ENTRY) return DOCKER_HUB;
  return entry.replace(/^https?:\/\//, '').replace(/\/.*$/, '');
}

function configOf(text: string): Config {
  try {
    const config: unknown = JSON.parse(text);
    return config !== null && typeof config === 'object' && !Array.isArray(config) ? (config as Config) : {};
  } catch {
    // The command says itself what is wrong with it.
    return {};
  }
}

function mapIn(config: Config, key: string): Record<string, unknown> {
  const value = config[key];
  return value !== null && typeof value === 'object' && !Array.isArray(value) ? (value as Record<string, unknown>) : {};
}

function written(config: Config): string {
  return `${JSON.stringify(config, null, 2)}\n`;
}

function base64Of(text: string): string {
  return btoa(String.fromCharCode(...new TextEncoder().encode(text)));
}

/** Empty where it is not base64. */
function textOf(base64: string): string {
  try {
    return new TextDecoder().decode(Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0)));
  } catch {
    return '';
  }
}
