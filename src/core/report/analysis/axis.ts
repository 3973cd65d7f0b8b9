/** What a picture spans, and where its axis has a tick. */
export interface Axis {
  extent: [number, number];
  logarithmic: boolean;
  ticks: number[];
}

/** From 0, with four to six ticks at round figures. */
export function linearAxis(values: readonly number[]): Axis {
  const most = Math.max(0, ...values.filter(Number.isFinite));
  if (most === 0) return { extent: [0, 1], logarithmic: false, ticks: [0] };
  const rough = most / 5;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = power * (rough / power > 5 ? 10 : rough / power > 2 ? 5 : rough / power > 1 ? 2 : 1);
  const count = Math.ceil(most / step - 1e-9);
  const ticks = Array.from({ length: count + 1 }, (_, at) => Number((at * step).toPrecision(12)));
  return { extent: [0, ticks.at(-1)!], logarithmic: false, ticks };
}

/** In equal steps for equal factors; ticks at 1, and at 3 where there are few. Only what is above 0 has a place on it. */
export function logarithmicAxis(values: readonly number[]): Axis {
  const shown = values.filter((value) => value > 0 && Number.isFinite(value));
  if (shown.length === 0) return { extent: [1, 10], logarithmic: true, ticks: [1, 10] };
  const [low, high] = [Math.min(...shown) / 1.15, Math.max(...shown) * 1.15];
  const decades = Math.ceil(Math.log10(high)) - Math.floor(Math.log10(low)) + 1;
  const powers = Array.from({ length: decades }, (_, at) => 10 ** (Math.floor(Math.log10(low)) + at));
  const within = (digits: number[]) =>
    powers
      .flatMap((power) => digits.map((digit) => Number((digit * power).toPrecision(6))))
      .filter((tick) => tick >= low && tick <= high);
  const coarse = within([1]);
  const ticks = coarse.length >= 4 ? coarse : within([1, 3]).length >= 3 ? within([1, 3]) : within([1, 2, 3, 5, 7]);
  return { extent: [low, high], logarithmic: true, ticks };
}
