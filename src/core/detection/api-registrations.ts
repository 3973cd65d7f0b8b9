import { bodiesOf, propertiesOf } from './api-bodies.ts';
import { exampleOf, type Plain, resolved } from './api-examples.ts';
import { asList, asMap, isRequestPath, textOf } from './files.ts';

/** A request that a document describes for making an account, filled in. */
export interface RegistrationRequest {
  path: string;
  kind: 'form' | 'json';
  /** Fields of its body; texts all of them where it is a form. */
  fields: Record<string, unknown>;
  user: string;
  email: string;
  password: string;
}

/** Somebody who is made for measuring, and visibly nobody. */
const NEW = { user: 'wrkbench', email: 'wrkbench@example.com', password: 'Made-up-4-measuring' };

/** Of one document. */
const MOST_REGISTRATIONS = 2;

const REGISTER =
  /(?:^|[/_.-])(?:register|registration|sign-?_?up|create-?_?account)(?:$|[/_.-])|\/(?:users|accounts)\/?$/i;

/** The ways in which a document says that anybody can make an account. */
export function registrationsIn(document: Plain): RegistrationRequest[] {
  const paths = Object.entries(asMap(document.paths)).filter(
    ([path]) => REGISTER.test(path) && isRequestPath(path) && !path.includes('{'),
  );
  const found = paths.flatMap(([path, item]): RegistrationRequest[] => {
    const operation = asMap(resolved(document, item).post);
    for (const [kind, schema] of bodiesOf(document, operation)) {
      const fields = filledFields(document, schema);
      if (fields !== null) return [{ path, kind, fields, ...NEW }];
    }
    return [];
  });
  return found.sort((a, b) => Number(isList(a.path)) - Number(isList(b.path))).slice(0, MOST_REGISTRATIONS);
}

function isList(path: string): boolean {
  return /\/(?:users|accounts)\/?$/i.test(path);
}

/** All that is required, and what says who it is; null where something is required that nobody knows, or no password is. */
function filledFields(document: Plain, schema: Plain, depth = 0): Record<string, unknown> | null {
  const required = new Set(asList(schema.required).map(textOf));
  const fields: Record<string, unknown> = {};
  let hasPassword = false;
  for (const [name, written] of propertiesOf(document, schema)) {
    const own = resolved(document, written);
    const inner = depth === 0 && own.properties !== undefined ? filledFields(document, own, 1) : null;
    const value = inner ?? valueFor(name) ?? (required.has(name) ? exampleOf(document, own) : undefined);
    if (value === undefined && required.has(name)) return null;
    if (value === undefined) continue;
    if (inner !== null || PASSWORD.test(name)) hasPassword = true;
    fields[name] = value;
  }
  return hasPassword ? fields : null;
}

const PASSWORD = /pass(?:word|wd)?/i;

function valueFor(name: string): string | undefined {
  if (PASSWORD.test(name)) return NEW.password;
  if (/^e-?mail(?:_?address)?$/i.test(name)) return NEW.email;
  return /^(?:user_?name|login|user|(?:full|first|last|display)?_?name)$/i.test(name) ? NEW.user : undefined;
}
