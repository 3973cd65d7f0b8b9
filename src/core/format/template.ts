/**
 * A template with its placeholders filled in, each as often as it stands there: texts such as `__NAME__`, so that an editor still
 * knows the file as what it is. What is filled in is not looked at again. Throws an `Error` where the two do not fit each other.
 */
export function filled(template: string, values: Record<string, string>): string {
  const names = Object.keys(values).sort((one, other) => other.length - one.length);
  const missing = names.filter((name) => !template.includes(name));
  if (missing.length > 0) throw new Error(`The template has no ${missing.join(', ')}.`);
  const anyOf = new RegExp(names.map((name) => name.replaceAll(/[$()*+./?[\\\]^{|}]/g, '\\$&')).join('|'), 'g');
  const left = /__[A-Z][A-Z0-9_]*__/.exec(template.replaceAll(anyOf, ''));
  if (left !== null) throw new Error(`Nothing is filled in for ${left[0]}.`);
  return template.replaceAll(anyOf, (name) => values[name]!);
}
