/** What a Dockerfile asks of the engine that builds it. */
export interface DockerfileNeeds {
  /** Images that it begins with, as far as their names are known before the build. */
  bases: string[];
  /** What of it the older builder does not know, as in `RUN --mount`; null where that builds it. */
  buildKit: string | null;
  /** Its author names the builder's own syntax, which the older one passes over. */
  namesSyntax: boolean;
}

/** `args`: build arguments of the spec. */
export function dockerfileNeeds(text: string, args: Readonly<Record<string, string>>): DockerfileNeeds {
  const lines = instructionsOf(text);
  return {
    bases: basesOf(lines, args),
    buildKit: lines.map(beyondOldBuilder).find((each) => each !== null) ?? null,
    namesSyntax: /^(?:\s*#[^\n]*\n)*\s*#\s*syntax\s*=/i.test(text),
  };
}

/** One line each, without comments; those of a heredoc are among them, and none looks like what is asked for here. */
function instructionsOf(text: string): string[] {
  const written = text.split(/\r?\n/).filter((line) => !/^\s*#/.test(line));
  return written
    .join('\n')
    .replaceAll(/[\\`][ \t]*\n/g, ' ')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
}

const FLAG = /^(RUN|COPY|ADD)\s+(?:--\S+\s+)*?--(mount|network|security|link|chmod|checksum|parents|exclude)\b/i;
const HEREDOC = /^(RUN|COPY|ADD)\s[^"']*<<-?["']?[A-Za-z_]/i;
const BUILD_PLATFORM = /^FROM\s+--platform=\$\{?(?:BUILD|TARGET)PLATFORM\b/i;

function beyondOldBuilder(line: string): string | null {
  const [, instruction, flag] = FLAG.exec(line) ?? [];
  if (flag !== undefined) return `${instruction!.toUpperCase()} --${flag.toLowerCase()}`;
  const [, before] = HEREDOC.exec(line) ?? [];
  if (before !== undefined) return `${before.toUpperCase()} <<`;
  return BUILD_PLATFORM.test(line) ? 'FROM --platform=$BUILDPLATFORM' : null;
}

function basesOf(lines: readonly string[], args: Readonly<Record<string, string>>): string[] {
  const known = new Map<string, string>();
  const stages = new Set(['scratch']);
  const bases = new Set<string>();
  for (const line of lines) {
    const [, name, value = ''] = /^ARG\s+(\w+)(?:=["']?([^"'\s]*)["']?)?/i.exec(line) ?? [];
    // Those of a stage stand behind its FROM, and no FROM sees them.
    if (name !== undefined && bases.size === 0) known.set(name, args[name] ?? value);
    const [, from, stage] = /^FROM\s+(?:--\S+\s+)*(\S+)(?:\s+AS\s+(\S+))?/i.exec(line) ?? [];
    if (from === undefined) continue;
    const base = filledIn(from, known);
    if (base !== null && !stages.has(base.toLowerCase())) bases.add(base);
    if (stage !== undefined) stages.add(stage.toLowerCase());
  }
  return [...bases];
}

/** Null where a value is not known before the build. */
function filledIn(text: string, known: ReadonlyMap<string, string>): string | null {
  const filled = text.replaceAll(
    /\$(?:\{(\w+)(?::?-([^}]*))?\}|(\w+))/g,
    (_, braced: string | undefined, fallback: string | undefined, bare: string | undefined) =>
      known.get(braced ?? bare ?? '') || fallback || '$',
  );
  return filled.includes('$') || filled === '' ? null : filled;
}
