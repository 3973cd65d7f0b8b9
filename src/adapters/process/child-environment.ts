/** What a child gets to know of our own environment. Tokens, GITHUB_*, NODE_OPTIONS and the rest stay here. */
const PASSED = new Set(['PATH', 'HOME', 'USER', 'LOGNAME', 'LANG', 'LANGUAGE', 'TZ', 'TMPDIR']);
const PASSED_PREFIX = 'LC_';

/** Switches by which tools and frameworks are told to report nothing about their use to anybody. */
const NO_TELEMETRY: Record<string, string> = {
  DO_NOT_TRACK: '1',
  DOTNET_CLI_TELEMETRY_OPTOUT: '1',
  GOTELEMETRY: 'off',
  K6_NO_USAGE_REPORT: 'true',
  NEXT_TELEMETRY_DISABLED: '1',
  NO_UPDATE_NOTIFIER: '1',
};

/**
 * The whole environment of a child: the allowed part of ours, telemetry off, then `own` on top.
 * `alsoPass` names further variables of ours that this child needs (`DOCKER_HOST` for docker).
 */
export function childEnvironment(own: Record<string, string> = {}, alsoPass: string[] = []): Record<string, string> {
  const passed: Record<string, string> = {};
  for (const [name, value] of Object.entries(process.env)) {
    const allowed = PASSED.has(name) || name.startsWith(PASSED_PREFIX) || alsoPass.includes(name);
    if (allowed && value !== undefined) passed[name] = value;
  }
  return { ...passed, ...NO_TELEMETRY, ...own };
}
