/** What is generated from the written schema: the JSON Schema for editors, and the tables of the reference. */
import * as z from 'zod';
import { metrics } from '../metrics/registry.ts';
import { PRESET_MEANINGS } from './load.ts';
import { PLACEHOLDERS } from './placeholders.ts';
import { specSchema } from './spec.ts';

interface Schema {
  $ref?: string;
  $defs?: Record<string, Schema>;
  type?: string | string[];
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: Schema | boolean;
  items?: Schema;
  anyOf?: Schema[];
  enum?: unknown[];
  const?: unknown;
  description?: string;
  default?: unknown;
}

/** JSON Schema, draft 2020-12, of `wrkbench.yml`. */
export function jsonSchema(): object {
  const schema = z.toJSONSchema(specSchema, { io: 'input', target: 'draft-2020-12' }) as Record<string, unknown>;
  const { $schema, ...rest } = schema;
  return { $schema, $id: 'urn:wrkbench:schema:spec', ...rest };
}

/** Markdown, by the name of the markers that it stands between. */
export function referenceTables(): Record<string, string> {
  const root = jsonSchema() as Schema;
  return {
    keys: table(['key', 'type', 'default', 'meaning'], rowsOf(root, root.$defs ?? {}, '')),
    metrics: table(
      ['metric', 'a plain number is in', 'limit by default', 'what it is'],
      metrics.map(({ name, unit, title }) => [`\`${name}\``, unit, defaultLimit(name), title]),
    ),
    presets: table(
      ['preset', 'what it does'],
      Object.entries(PRESET_MEANINGS).map(([name, meaning]) => [`\`${name}\``, meaning]),
    ),
    placeholders: table(
      ['placeholder', 'value'],
      Object.entries(PLACEHOLDERS).map(([name, meaning]) => [`\`\${${name}}\``, meaning]),
    ),
  };
}

function defaultLimit(metric: string): string {
  const { usualLimit = null, isWatched = false } = metrics.find(({ name }) => name === metric) ?? {};
  return Object.entries(usualLimit ?? {})
    .map(([limit, value]) => `\`${limit}: ${value}\`${isWatched ? ', watched' : ''}`)
    .join(', ');
}

function rowsOf(schema: Schema, defs: Record<string, Schema>, prefix: string): string[][] {
  const options = [schema, ...(schema.anyOf ?? [])].map((option) => followed(option, defs));
  return options.flatMap((option) => {
    const required = option.required ?? [];
    const named = Object.entries(option.properties ?? {}).flatMap(([key, inner]) => {
      const limits = limitsOf(inner, defs);
      // Every metric takes the same four limits: the first one stands for all, their names have a table of their own.
      if (limits !== null) return key === metrics[0]!.name && prefix === 'gate.' ? limits : [];
      const path = `${prefix}${key}`;
      const fallback =
        'default' in inner ? `\`${defaultText(inner.default)}\`` : required.includes(key) ? '**required**' : '';
      const row = [`\`${path}\``, typeText(inner, defs), fallback, inner.description ?? ''];
      return [row, ...rowsOf(inner, defs, `${path}.`)];
    });
    const { additionalProperties } = option;
    const free = typeof additionalProperties === 'object' ? rowsOf(additionalProperties, defs, `${prefix}NAME.`) : [];
    // What one map may be, several are as well: told once.
    const isOneOfMaps = options.some(({ properties }) => properties !== undefined);
    const listed =
      isOneOfMaps || option.items === undefined ? [] : rowsOf(option.items, defs, prefix.replace(/\.$/, '[].'));
    return [...named, ...free, ...listed];
  });
}

function followed(schema: Schema, defs: Record<string, Schema>): Schema {
  return schema.$ref === undefined ? schema : { ...defs[schema.$ref.replace('#/$defs/', '')] };
}

/** The rows of a metric's limits; null where a key is none of a metric. */
function limitsOf(schema: Schema, defs: Record<string, Schema>): string[][] | null {
  const options = [schema, ...(schema.anyOf ?? [])].map((option) => followed(option, defs).properties ?? {});
  const properties = options.find((option) => Object.hasOwn(option, 'max-increase'));
  if (properties === undefined) return null;
  return Object.entries(properties).map(([limit, { description = '' }]) => {
    const type = limit.startsWith('max-') ? 'percentage or quantity' : 'quantity';
    return [`\`gate.METRIC.${limit}\``, type, '', description];
  });
}

/** What the reference calls a type. */
const TYPE_NAMES: Record<string, string> = {
  'cpu-list': 'CPUs',
  identifier: 'SQL name',
  'on-or-off': 'on/off',
  'relative-path': 'path',
  'request-path': 'URL path',
};

/** `size`, `on/off or list`, `subject`, `reference`. */
function typeText(schema: Schema, defs: Record<string, Schema>): string {
  const name = schema.$ref?.replace('#/$defs/', '');
  const target = followed(schema, defs);
  if (name !== undefined && target.properties === undefined) return TYPE_NAMES[name] ?? name.replaceAll('-', ' ');
  if (target.enum !== undefined) return target.enum.map((value) => `\`${value}\``).join(', ');
  if (target.const !== undefined) return target.const === '' ? 'empty' : `\`${target.const}\``;
  if (target.anyOf !== undefined) return unique(target.anyOf.map((option) => typeText(option, defs))).join(' or ');
  if (target.type === 'array') return 'list';
  if (target.type === 'object') return 'map';
  if (target.type === 'string') return 'text';
  if (Array.isArray(target.type)) return target.type.join(' or ').replace('string', 'text');
  return target.type ?? 'any value';
}

function unique(words: string[]): string[] {
  return [...new Set(words)];
}

function defaultText(value: unknown): string {
  if (value === '') return '""';
  return Array.isArray(value) ? `[${value.join(', ')}]` : String(value);
}

function table(head: string[], rows: string[][]): string {
  const line = (cells: string[]) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}
