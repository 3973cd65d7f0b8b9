/**
 * The address of a submodule, where `.gitmodules` gives it relative to that of the repository (`../other.git`), by the
 * rules of git-submodule(1): each `../` takes the last part away, back to a host's colon.
 */
export function absoluteUrl(url: string, remote: string): string {
  if (!/^\.\.?\//.test(url)) return url;
  let base = remote.replace(/\/+$/, '');
  let rest = url;
  while (/^\.\.?\//.test(rest)) {
    if (rest.startsWith('../')) {
      const border = Math.max(base.lastIndexOf('/'), base.lastIndexOf(':'));
      base = border < 0 ? '.' : base.slice(0, base[border] === ':' ? border + 1 : border);
      rest = rest.slice(3);
    } else rest = rest.slice(2);
  }
  return `${base}${base.endsWith(':') ? '' : '/'}${rest.replace(/\/+$/, '')}`;
}
