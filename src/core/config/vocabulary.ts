/** Which keys and values may stand where, read off the written schema: for telling a person what was meant. */
import type * as z from 'zod';
import type { Path } from './source.ts';

interface Definition {
  type: string;
  innerType?: z.ZodType;
  valueType?: z.ZodType;
  element?: z.ZodType;
  options?: z.ZodType[];
  shape?: Record<string, z.ZodType>;
}

function definitionOf(schema: z.ZodType): Definition {
  return (schema as unknown as { def: Definition }).def;
}

/** The keys of the map that the schema expects at a path; none where it expects no map, or one with free names. */
export function keysAt(schema: z.ZodType, path: Path): string[] {
  return descend([schema], path).flatMap((found) => Object.keys(definitionOf(found).shape ?? {}));
}

/** Whether the schema takes a value at a path, whatever stands beside it. */
export function accepts(schema: z.ZodType, path: Path, value: unknown): boolean {
  return descend([schema], path).some((found) => found.safeParse(value).success);
}

/** Every place where a key may stand, as `load.wrk` or `services.*`; '' for the top. */
export function placesOf(key: string, schema: z.ZodType): string[] {
  const places: string[] = [];
  const visit = (found: z.ZodType, path: string[]) => {
    for (const branch of branches(found)) {
      const { shape, valueType, element } = definitionOf(branch);
      if (shape !== undefined && Object.hasOwn(shape, key)) places.push(path.join('.'));
      for (const [name, inner] of Object.entries(shape ?? {})) visit(inner, [...path, name]);
      if (valueType !== undefined) visit(valueType, [...path, '*']);
      if (element !== undefined) visit(element, path);
    }
  };
  visit(schema, []);
  return [...new Set(places)];
}

function descend(schemas: z.ZodType[], path: Path): z.ZodType[] {
  const here = schemas.flatMap(branches);
  const [part, ...rest] = path;
  if (part === undefined) return here;
  const next = here.flatMap((schema) => {
    const { shape, valueType, element } = definitionOf(schema);
    const named = shape !== undefined && Object.hasOwn(shape, part) ? shape[part] : undefined;
    return [named, valueType, element].filter((inner) => inner !== undefined);
  });
  return descend(next, rest);
}

/** The schema itself, without what makes it optional; each option of a union. */
function branches(schema: z.ZodType): z.ZodType[] {
  const { innerType, options } = definitionOf(schema);
  if (innerType !== undefined) return branches(innerType);
  return options === undefined ? [schema] : options.flatMap(branches);
}
