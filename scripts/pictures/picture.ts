export interface Picture {
  name: string;
  /** A whole page. */
  html: string;
  width: number;
  /** Pixels of it that are kept, from its beginning; all where it is absent. */
  height?: number;
  dark: boolean;
  /** In docs/img/. */
  kept: boolean;
}

/** On a phone and on a desk, light and dark. */
export function eachWay(
  name: string,
  html: string,
  kept: (picture: Pick<Picture, 'width' | 'dark'>) => boolean,
  height?: number,
): Picture[] {
  const ways = [390, 1280].flatMap((width) => [false, true].map((dark) => ({ width, dark })));
  return ways.map((way) => ({ name, html, ...way, ...(height === undefined ? {} : { height }), kept: kept(way) }));
}
