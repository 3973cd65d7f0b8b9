const WIDTH = 240;
const HEIGHT = 40;
/** So that a line at the edge is not cut in half. */
const MARGIN = 3;

/** A line without axes, for beside a figure: who cannot see it is told that figure. At least two values. */
export function sparkline(values: readonly number[]): SVGSVGElement {
  const low = Math.min(...values);
  const span = Math.max(...values) - low;
  const points = values.map((value, index) => {
    const x = MARGIN + (index / (values.length - 1)) * (WIDTH - 2 * MARGIN);
    const part = span === 0 ? 0.5 : (value - low) / span;
    return [x, HEIGHT - MARGIN - part * (HEIGHT - 2 * MARGIN)] as const;
  });
  const picture = shape('svg', {
    viewBox: `0 0 ${WIDTH} ${HEIGHT}`,
    // It begins where the text above it does.
    preserveAspectRatio: 'xMinYMid',
    class: 'sparkline',
    'aria-hidden': 'true',
  });
  const [x, y] = points.at(-1)!;
  picture.append(
    shape('polyline', { points: points.map((point) => point.map((part) => part.toFixed(1)).join(',')).join(' ') }),
    shape('circle', { cx: x.toFixed(1), cy: y.toFixed(1), r: '2.5' }),
  );
  return picture;
}

function shape<Name extends keyof SVGElementTagNameMap>(
  name: Name,
  attributes: Record<string, string>,
): SVGElementTagNameMap[Name] {
  const made = document.createElementNS('http://www.w3.org/2000/svg', name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  return made;
}
