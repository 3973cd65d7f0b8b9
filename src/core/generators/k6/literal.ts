/** JSON is JavaScript, but for two line separators that old engines refuse in a literal. */
export function literal(value: unknown): string {
  return JSON.stringify(value).replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029');
}
