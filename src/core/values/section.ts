/**
 * A section of the spec, each of whose keys is declared once:
 *
 *     const gateway = section({
 *       image: usual(imageReference, 'nginx:1.29', 'Its image.'),
 *       memory: orNull(bytes, { as: 'memoryBytes', description: 'Limit of memory.' }),
 *     });
 *
 * From that come what a person may write (and so the diagnostics, the JSON Schema and the reference), what stands where nothing is
 * written, what the rest of the program has of it, and how `run.json` holds that.
 */
import * as z from 'zod';

/** A value with three forms. `read` gives undefined for what the resolved spec leaves out. */
export interface Form<Written, Value> {
  written: z.ZodType<Written>;
  read(written: Written): Value;
  recorded: z.ZodType;
}

/** A schema alone stands for a value that is kept as it is written. */
// biome-ignore lint/suspicious/noExplicitAny: what a form holds is of no concern where any form will do.
type Source = z.ZodType | Form<any, any>;
type WrittenOf<S> = S extends Form<infer Written, infer _> ? Written : z.output<S>;
type ValueOf<S> = S extends Form<infer _, infer Value> ? Value : z.output<S>;

/** One key: `as` is its name in the resolved spec, null for the same without dashes, false where it has no place of its own there. */
export interface Key<Written, Value, As extends string | null | false, IsRequired extends boolean> {
  written: z.ZodType;
  as: As;
  isRequired: IsRequired;
  /** As a person would have written it; undefined where that says nothing. */
  usual: Written | undefined;
  /** `all` is what is written in the whole section. */
  read(written: Written | undefined, all: object): Value;
  recorded: z.ZodType;
  /** For the compiler alone. */
  readonly types?: { written: Written; value: Value };
}

// biome-ignore lint/suspicious/noExplicitAny: what a key holds is of no concern where any key will do.
type AnyKey = Key<any, any, string | null | false, boolean>;
type Keys = Record<string, AnyKey>;

/** A description alone; or with the name in the resolved spec, where that is not the key's own. `isNewer`: old records lack it. */
type About = string | { description: string; as?: string; isNewer?: true };
type NameIn<A> = A extends { as: infer As extends string } ? As : null;

/** A key that has to be there. */
export function required<S extends Source, const A extends About>(
  source: S,
  about: A,
): Key<WrittenOf<S>, ValueOf<S>, NameIn<A>, true> {
  const form = formOf(source);
  return {
    ...{ written: form.written.meta({ description: descriptionOf(about) }), as: nameOf(about), isRequired: true },
    ...{ usual: undefined, recorded: form.recorded, read: (written) => form.read(written) as ValueOf<S> },
  };
}

/** A key with a usual value, which the reference shows. */
export function usual<S extends Source, const A extends About>(
  source: S,
  value: NoInfer<WrittenOf<S>>,
  about: A,
): Key<WrittenOf<S>, ValueOf<S>, NameIn<A>, false> {
  const form = formOf(source);
  const read = (written: WrittenOf<S> | undefined) => form.read(written ?? value) as ValueOf<S>;
  const fallback = read(undefined);
  return {
    written: form.written.meta({ description: descriptionOf(about), default: value }).optional(),
    ...{ as: nameOf(about), isRequired: false, usual: value, read },
    recorded: fallback === undefined ? z.exactOptional(form.recorded) : since(about, form.recorded, fallback),
  };
}

/** A key that is null where nothing is written. */
export function orNull<S extends Source, const A extends About>(
  source: S,
  about: A,
): Key<WrittenOf<S>, ValueOf<S> | null, NameIn<A>, false> {
  const form = formOf(source);
  return { ...orElse(source, null as never, about), recorded: since(about, form.recorded.nullable(), null) };
}

/** A key that is left out of the resolved spec where nothing is written. */
export function orAbsent<S extends Source, const A extends About>(
  source: S,
  about: A,
): Key<WrittenOf<S>, ValueOf<S> | undefined, NameIn<A>, false> {
  const form = formOf(source);
  return { ...orElse(source, undefined as never, about), recorded: z.exactOptional(form.recorded) };
}

/** A key whose value where nothing is written goes without saying: an empty list. */
export function orElse<S extends Source, const A extends About>(
  source: S,
  value: NoInfer<ValueOf<S>>,
  about: A,
): Key<WrittenOf<S>, ValueOf<S>, NameIn<A>, false> {
  const form = formOf(source);
  return {
    written: form.written.meta({ description: descriptionOf(about) }).optional(),
    ...{ as: nameOf(about), isRequired: false, usual: undefined, recorded: form.recorded },
    // A copy: what one spec has may be changed without changing the next one's.
    read: (written) => (written === undefined ? structuredClone(value) : (form.read(written) as ValueOf<S>)),
  };
}

/** A key whose value another one takes in: see `combined`. */
export function writtenOnly<Z extends z.ZodType>(
  schema: Z,
  description: string,
): Key<z.output<Z>, undefined, false, false> {
  return {
    written: schema.meta({ description }).optional(),
    ...{ as: false, isRequired: false, usual: undefined, recorded: z.never(), read: () => undefined },
  };
}

/** A key that takes in others of its section: what becomes of all of them. */
export function combined<Z extends z.ZodType, Value, const A extends About>(
  schema: Z,
  about: A,
  read: (all: never) => Value,
  recorded: z.ZodType,
): Key<z.output<Z>, Value, NameIn<A>, false> {
  return {
    written: schema.meta({ description: descriptionOf(about) }).optional(),
    ...{ as: nameOf(about), isRequired: false, usual: undefined, recorded },
    read: (_, all) => read(all as never),
  };
}

type Camel<Name> = Name extends `${infer Head}-${infer Tail}` ? `${Head}${Capitalize<Camel<Tail>>}` : Name;
type ResolvedName<Name, Own> = Own extends { as: infer As }
  ? As extends string
    ? As
    : As extends false
      ? never
      : Camel<Name>
  : never;
type ValueOfKey<Own> = Own extends { types?: { value: infer Value } } ? Value : never;
type WrittenOfKey<Own> = Own extends { types?: { written: infer Written } } ? Written : never;
type NeededKeys<K> = { [Name in keyof K]: K[Name] extends { isRequired: true } ? Name : never }[keyof K];
type AbsentKeys<K> = { [Name in keyof K]: undefined extends ValueOfKey<K[Name]> ? Name : never }[keyof K];
type Flat<T> = { [Name in keyof T]: T[Name] };

/** What a person may write of these keys. */
type WrittenSection<K> = Flat<
  { [Name in NeededKeys<K>]: WrittenOfKey<K[Name]> } & {
    [Name in Exclude<keyof K, NeededKeys<K>>]?: WrittenOfKey<K[Name]> | undefined;
  }
>;
/** What becomes of them. */
type ResolvedSection<K> = Flat<
  { [Name in Exclude<keyof K, AbsentKeys<K>> as ResolvedName<Name, K[Name]>]: ValueOfKey<K[Name]> } & {
    [Name in AbsentKeys<K> as ResolvedName<Name, K[Name]>]?: Exclude<ValueOfKey<K[Name]>, undefined>;
  }
>;

export interface Section<K extends Keys> extends Form<WrittenSection<K>, ResolvedSection<K>> {
  keys: K;
  recorded: z.ZodObject;
  /** The usual values, as a person would have written them. */
  usual: Partial<WrittenSection<K>>;
}

/** `id` names it in the JSON Schema; `phrase` says what is expected in its place. */
export function section<const K extends Keys>(keys: K, options: { id?: string; phrase?: string } = {}): Section<K> {
  const { id, phrase } = options;
  const entries = Object.entries(keys).map(([name, key]) => ({ name, as: resolvedName(name, key), key }));
  const kept = entries.filter(({ as }) => as !== null);
  const plain = z.strictObject(Object.fromEntries(entries.map(({ name, key }) => [name, key.written])), phrase);
  return {
    keys,
    written: (id === undefined ? plain : plain.meta({ id })) as unknown as z.ZodType<WrittenSection<K>>,
    read(written) {
      const all = written as Record<string, unknown>;
      const values = kept.map(({ name, as, key }) => [as, key.read(all[name], all)]);
      return Object.fromEntries(values.filter(([, value]) => value !== undefined)) as ResolvedSection<K>;
    },
    recorded: z.looseObject(Object.fromEntries(kept.map(({ as, key }) => [as, key.recorded]))),
    usual: Object.fromEntries(
      entries.flatMap(({ name, key }) => (key.usual === undefined ? [] : [[name, key.usual]])),
    ) as Partial<WrittenSection<K>>,
  };
}

/** A section that a short form may stand for: `postgres:18` for `{image: postgres:18}`. */
export function orShort<Short, Written extends object, Value>(
  short: z.ZodType<Short>,
  whole: Form<Written, Value>,
  phrase: string,
  wholeOf: (short: Short) => Written,
): Form<Short | Written, Value> {
  return {
    written: z.union([short, whole.written], phrase),
    read: (written) => whole.read(isMap(written) ? (written as Written) : wholeOf(written as Short)),
    recorded: whole.recorded,
  };
}

/** A map from names to sections, as a list in the order of the file. */
export function namedList<Written, Value extends object>(
  name: z.ZodType<string>,
  item: Form<Written, Value>,
  phrase: string,
): Form<Record<string, Written>, ({ name: string } & Value)[]> {
  const recorded = (item.recorded as z.ZodObject).shape;
  return {
    written: z.record(name as z.ZodString, item.written, phrase) as z.ZodType<Record<string, Written>>,
    read: (written) => Object.entries(written).map(([key, each]) => ({ name: key, ...item.read(each) })),
    recorded: z.array(z.looseObject({ name: z.string(), ...recorded })),
  };
}

/** A value that is read into another one. */
export function form<Z extends z.ZodType, Value>(
  written: Z,
  read: (written: z.output<Z>) => Value,
  recorded: z.ZodType,
): Form<z.output<Z>, Value> {
  return { written: written as z.ZodType<z.output<Z>>, read, recorded };
}

function formOf(source: Source): Form<unknown, unknown> {
  if ('read' in source) return source;
  return { written: source, read: (written) => written, recorded: recordedOf(source) };
}

/**
 * How a record holds what is kept as it is written: of the same kind, and otherwise open. Finite numbers, since `1e999` in a file
 * would arrive as Infinity.
 */
function recordedOf(schema: z.ZodType): z.ZodType {
  const { def } = schema as unknown as { def: Record<string, unknown> & { type: string } };
  switch (def.type) {
    case 'string':
      return z.string();
    case 'number':
      return def.check === 'number_format' ? z.number().int().nonnegative() : z.number();
    case 'boolean':
      return z.boolean();
    case 'unknown':
      return z.unknown();
    case 'enum':
      return oneOf(Object.values(def.entries as Record<string, string>));
    case 'literal':
      return z.literal(def.values as string[]);
    case 'array':
      return z.array(recordedOf(def.element as z.ZodType));
    default:
      throw new Error(`A record needs to be told how it holds a ${def.type}: give the key a form.`);
  }
}

function oneOf(words: readonly string[]): z.ZodType {
  return words.length === 1 ? z.literal(words[0]!) : z.enum(words);
}

/** In a record that was made before there was the key, the value is what it then always was. */
function since(about: About, recorded: z.ZodType, value: unknown): z.ZodType {
  return typeof about === 'object' && about.isNewer === true ? recorded.default(value as never) : recorded;
}

function resolvedName(name: string, { as }: AnyKey): string | null {
  if (as === false) return null;
  return as ?? name.replaceAll(/-([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
}

function descriptionOf(about: About): string {
  return typeof about === 'string' ? about : about.description;
}

function nameOf<A extends About>(about: A): NameIn<A> {
  return (typeof about === 'string' ? null : (about.as ?? null)) as NameIn<A>;
}

function isMap(value: unknown): value is object {
  return value !== null && typeof value === 'object';
}
