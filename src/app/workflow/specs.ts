import { type Diagnostic, SpecError } from '../../core/config/diagnostics.ts';
import { isPathGlob, pathFilter } from '../../core/config/path-glob.ts';
import { specPaths } from '../../core/config/paths.ts';
import { specNameIn } from '../../core/config/read.ts';
import type { ResolvedSpec } from '../../core/config/resolved.ts';
import { counted } from '../../core/format/figures.ts';
import { UsageError } from '../failures.ts';
import type { CheckoutFiles } from '../ports/checkout-files.ts';
import { specInFolder } from '../spec-in-folder.ts';

export interface FoundSpec {
  path: string;
  spec: ResolvedSpec;
}

/** A spec that cannot be measured, or was not, and why. */
export interface LostSpec {
  specName: string;
  why: string;
}

/** What the inputs name. `diagnostics` are for lines of files, `errors` for the job, `lost` for whoever waits for a verdict. */
export interface FoundSpecs {
  specs: FoundSpec[];
  lost: LostSpec[];
  diagnostics: Diagnostic[];
  errors: string[];
}

/**
 * The specs under some paths or globs of the checkout. All diagnostics of all of them at once. Throws `UsageError` where there
 * is no spec.
 */
export async function specsIn(patterns: readonly string[], files: CheckoutFiles): Promise<FoundSpecs> {
  const found: FoundSpecs = { specs: [], lost: [], diagnostics: [], errors: [] };
  const paths = await pathsOf(patterns, files);
  if (paths.length === 0) {
    throw new UsageError(
      `The checkout has no file ${patterns.join(', ')}. Name the spec with the input spec, check the code out before this step (actions/checkout), or write a spec: wrkbench init`,
    );
  }
  for (const path of paths) await addSpec(path, files, found);
  return found;
}

async function pathsOf(patterns: readonly string[], files: CheckoutFiles): Promise<string[]> {
  const all = patterns.some(isPathGlob) ? await files.list() : [];
  const paths = patterns.flatMap((pattern) =>
    isPathGlob(pattern) ? all.filter(pathFilter([pattern])).sort() : [pattern],
  );
  return [...new Set(paths)];
}

async function addSpec(path: string, files: CheckoutFiles, found: FoundSpecs): Promise<void> {
  const text = await files.text(path);
  if (text === null) {
    found.errors.push(`The checkout has no file ${path}, or it is a link to elsewhere.`);
    return;
  }
  try {
    const spec = await specInFolder(text, path, async () => belowFolderOf(path, await files.list()));
    const twin = found.specs.find((other) => other.spec.name === spec.name);
    if (twin !== undefined) {
      found.errors.push(`${path} and ${twin.path} are both named ${spec.name}: each spec has a name of its own.`);
      return;
    }
    const outside = await leaving(path, spec, files);
    if (outside.length > 0) {
      const why = `${path} names ${outside.join(', ')}, which leads out of the checkout by a link: not measured.`;
      found.errors.push(why);
      found.lost.push({ specName: spec.name, why });
      return;
    }
    found.specs.push({ path, spec });
  } catch (error) {
    if (!(error instanceof SpecError)) throw error;
    found.diagnostics.push(...error.diagnostics);
    const specName = specNameIn(text);
    if (specName !== null) found.lost.push({ specName, why: mistakesText(error.diagnostics) });
  }
}

/** The first one, and how many there are. */
function mistakesText(diagnostics: readonly Diagnostic[]): string {
  const [first] = diagnostics;
  const { file, line, column, message } = first!;
  const others = diagnostics.length - 1;
  return `${file}:${line}:${column}: ${message}${others === 0 ? '' : ` (and ${counted(others, 'mistake')} more)`}`;
}

/** Those in the folder of a file or below it, relative to that. */
function belowFolderOf(file: string, paths: readonly string[]): string[] {
  const folder = folderBefore(file);
  return paths.filter((path) => path.startsWith(folder)).map((path) => path.slice(folder.length));
}

/** With its last `/`; empty at the top. */
function folderBefore(file: string): string {
  return file.slice(0, file.lastIndexOf('/') + 1);
}

async function leaving(file: string, spec: ResolvedSpec, files: CheckoutFiles): Promise<string[]> {
  const folder = folderBefore(file);
  const outside: string[] = [];
  for (const path of specPaths(spec)) if (!(await files.staysInside(`${folder}${path}`))) outside.push(path);
  return outside;
}
