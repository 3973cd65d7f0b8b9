import { bracketed, matchesOf, type RepositoryFile, withoutComments } from '../files.ts';
import { joined, methodOf, normal, type Route } from './route.ts';

/** Controllers of Spring, in Java and Kotlin. */
export function springRoutes(files: readonly RepositoryFile[]): Route[] {
  return files
    .filter(({ path, content }) => /\.(?:java|kt)$/.test(path) && /@(?:Rest)?Controller\b/.test(content))
    .flatMap((file) => {
      const text = withoutComments(file);
      const start = /\b(?:class|interface)\s+\w+/.exec(text)?.index ?? 0;
      const [base = ''] = mappingsIn(text.slice(0, start)).map(({ path }) => path);
      return mappingsIn(text.slice(start)).map(
        ({ method, path }): Route => ({ method, path: normal(joined(base, path)), from: file.path }),
      );
    });
}

function mappingsIn(text: string): { method: Route['method']; path: string }[] {
  return matchesOf(text, /@(Get|Post|Put|Patch|Delete|Request)Mapping\b(\s*\()?/g).map((match) => {
    const [whole, verb, open] = match;
    const options = open === undefined ? '' : bracketed(text, match.index + whole.length - 1);
    const path = /"([^"]*)"/.exec(
      /\b(?:value|path)\s*=\s*(.*)/.exec(options)?.[1] ?? options.replace(/\b(?:produces|consumes)\s*=.*/, ''),
    )?.[1];
    const method = verb === 'Request' ? (/RequestMethod\.(\w+)/.exec(options)?.[1] ?? 'GET') : verb!;
    return { method: methodOf(method) ?? 'GET', path: path ?? '' };
  });
}

/** Minimal APIs and controllers of ASP.NET. */
export function aspnetRoutes(files: readonly RepositoryFile[]): Route[] {
  return files.filter(({ path }) => /\.cs$/.test(path)).flatMap((file) => [...minimal(file), ...controllers(file)]);
}

function minimal(file: RepositoryFile): Route[] {
  const text = withoutComments(file);
  const groups = new Map<string, string>();
  for (const [, variable, parent, prefix] of matchesOf(text, /\b(\w+)\s*=\s*(\w+)\.MapGroup\(\s*"([^"]*)"/g)) {
    groups.set(variable!, joined(groups.get(parent!) ?? '', prefix!));
  }
  const mapped = /\b(\w+)\.Map(Get|Post|Put|Patch|Delete|HealthChecks)\(\s*"([^"]*)"/g;
  return matchesOf(text, mapped).map(
    ([, variable, verb, path]): Route => ({
      method: verb === 'HealthChecks' ? 'GET' : methodOf(verb!)!,
      path: normal(joined(groups.get(variable!) ?? '', path!)),
      from: file.path,
    }),
  );
}

function controllers(file: RepositoryFile): Route[] {
  const text = withoutComments(file);
  const [, base = '', , name = ''] =
    /\[Route\("([^"]*)"\)\]([\s\S]{0,2000}?)\bclass\s+(\w+?)(?:Controller)?\b/.exec(text) ?? [];
  if (name === '') return [];
  const own = base.replace('[controller]', name.toLowerCase());
  return matchesOf(text, /\[Http(Get|Post|Put|Patch|Delete)(?:\(\s*(?:"([^"]{0,500})")?[^)]{0,500}\))?\]/g).map(
    ([, verb, path = '']): Route => ({ method: methodOf(verb!)!, path: normal(joined(own, path)), from: file.path }),
  );
}
