import { type Finding, ok, problem, warning } from './finding.ts';

/** What of a build only BuildKit does. */
export interface BuildKitNeed {
  whose: string;
  /** As seen from the spec's folder; null where no file asks for it, but the spec. */
  dockerfile: string | null;
  /** `RUN --mount`, `# syntax`. */
  what: string;
  /** The older builder builds it, and passes over that. */
  isPassedOver: boolean;
  optional: boolean;
}

/** `version` of buildx; null where the docker command has none. `command` installs it; null where none is known. */
export function buildKitFinding(
  needs: readonly BuildKitNeed[],
  version: string | null,
  command: string | null,
): Finding | null {
  if (needs.length === 0) return null;
  if (version !== null) return ok('buildkit', `docker buildx ${version}`);
  const required = needs.filter(({ isPassedOver }) => !isPassedOver);
  const said = (required.length > 0 ? required : needs)
    .map(({ whose, dockerfile, what }) => `${whose} (${dockerfile === null ? what : `${what} in ${dockerfile}`})`)
    .join(', ');
  const lack = 'This docker command has no buildx, so that images are built by the older builder';
  if (required.length === 0) {
    return warning('buildkit', `${lack}, which passes over what is asked for by: ${said}.`, command);
  }
  const found = required.every(({ optional }) => optional) ? warning : problem;
  return found('buildkit', `${lack}, which cannot build: ${said}.`, command);
}

/** Only `init` takes it. */
export function composeFinding(version: string | null, command: string | null): Finding {
  return version !== null
    ? ok('compose', `docker compose ${version}`)
    : warning(
        'compose',
        'This docker command has no compose plugin. `wrkbench init` then reads compose files by itself, without `extends`, overrides and the interpolation of variables; a run does not take it.',
        command,
      );
}
