import { absent } from './figures.ts';

/** A part without a sign: 0.061 is `6.1 %`, 0.0042 is `0.42 %`, 1.2 is `120 %`. */
export function percent(value: number): string {
  return Number.isFinite(value) ? `${digits(Math.abs(value), Math.abs(value))} %` : absent;
}

/** A change from something: 0.061 is `+6.1 %`, -0.0042 is `-0.42 %`. */
export function signedPercent(value: number): string {
  return Number.isFinite(value) ? `${signed(value, Math.abs(value))} %` : absent;
}

/** `(+4.9 … +7.3)`, in percent, both ends with as many digits. */
export function intervalText([low, high]: [number, number]): string {
  const most = Math.max(Math.abs(low), Math.abs(high));
  return `(${signed(low, most)} … ${signed(high, most)})`;
}

/** Digits after the point go by `size`, so that figures that stand together have as many. */
function digits(value: number, size: number): string {
  const text = (value * 100).toFixed(size >= 0.9995 ? 0 : size >= 0.00995 ? 1 : 2);
  return text.replace(/\B(?<!\.\d*)(?=(\d{3})+(?!\d))/g, ',');
}

function signed(value: number, size: number): string {
  const text = digits(Math.abs(value), size);
  if (Number(text.replaceAll(',', '')) === 0) return text;
  return `${value < 0 ? '-' : '+'}${text}`;
}
