/**
 * Where `got` lacks something of `expected`, as a sentence with its path (`$.users[0].id: expected 1, got 2`);
 * null where all that `expected` names is there. Objects may hold more keys than expected, arrays more elements.
 */
export function jsonDifference(got: unknown, expected: unknown, path = '$'): string | null {
  if (Array.isArray(expected)) {
    if (!Array.isArray(got)) return `${path}: expected an array, got ${shown(got)}`;
    if (got.length < expected.length) {
      return `${path}: expected at least ${expected.length} elements, got ${got.length}`;
    }
    return firstDifference(expected.keys(), (index) =>
      jsonDifference(got[index], expected[index], `${path}[${index}]`),
    );
  }
  if (isObject(expected)) {
    if (!isObject(got)) return `${path}: expected an object, got ${shown(got)}`;
    return firstDifference(Object.keys(expected), (key) => {
      const place = /^[A-Za-z_]\w*$/.test(key) ? `${path}.${key}` : `${path}[${JSON.stringify(key)}]`;
      if (!Object.hasOwn(got, key)) return `${place}: expected ${shown(expected[key])}, got nothing`;
      return jsonDifference(got[key], expected[key], place);
    });
  }
  return Object.is(got, expected) || got === expected
    ? null
    : `${path}: expected ${shown(expected)}, got ${shown(got)}`;
}

function firstDifference<K>(keys: Iterable<K>, difference: (key: K) => string | null): string | null {
  for (const key of keys) {
    const found = difference(key);
    if (found !== null) return found;
  }
  return null;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing';
  return text.length > 120 ? `${text.slice(0, 120)}…` : text;
}
