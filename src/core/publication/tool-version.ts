/** Whether a version is later than another: by its three numbers, and a release later than what led to it. */
export function isLaterVersion(one: string, other: string): boolean {
  const [left, right] = [numbersOf(one), numbersOf(other)];
  if (left === null || right === null) return false;
  const place = left.findIndex((number, index) => number !== right[index]);
  return place >= 0 && left[place]! > right[place]!;
}

/** Null for what is no version. */
function numbersOf(version: string): number[] | null {
  const [, major, minor, patch, rest] = /^v?(\d{1,6})\.(\d{1,6})\.(\d{1,6})([-+].*)?$/.exec(version) ?? [];
  if (major === undefined) return null;
  return [Number(major), Number(minor), Number(patch), rest?.startsWith('-') ? 0 : 1];
}
