/**
 * How every report writes a number. One place, so that a figure reads the same on the terminal, in Markdown, on the
 * page and in its charts. Nothing here depends on a locale.
 */

/** Stands where a figure was not measured; never 0. */
export const absent = '–';

/** `584,991` */
export function grouped(value: number): string {
  if (!Number.isFinite(value)) return absent;
  if (Math.abs(value) >= 1e15) return value.toExponential(2);
  return fixed(value, 0);
}

/** Requests per second: `584,991`, `42.1`, `0.52`. */
export function throughput(perSecond: number): string {
  if (!Number.isFinite(perSecond)) return absent;
  if (Math.abs(perSecond) >= 99.95 || perSecond === 0) return grouped(perSecond);
  return fixed(perSecond, Math.abs(perSecond) >= 9.995 ? 1 : 2);
}

/** For bars and axes: `585K`, `1.2M`, `420`. */
export function compact(value: number): string {
  if (!Number.isFinite(value)) return absent;
  const size = Math.abs(value);
  if (size >= 999_500_000) return `${fixed(value / 1e9, 1)}G`;
  if (size >= 999_500) return `${fixed(value / 1e6, 1)}M`;
  if (size >= 999.5) return `${fixed(value / 1e3, 0)}K`;
  return size >= 9.95 || Number.isInteger(value) ? fixed(value, 0) : fixed(value, 1);
}

/** Beside a bar: as `compact` where the longest bar needs it, else in full. */
export function barFigure(value: number, most: number): string {
  return most >= 9_999.5 ? compact(value) : throughput(value);
}

/** As wrk chooses its units: `119 µs`, `0.91 ms`, `41.51 ms`, `1.70 s`. The unit changes at 0.85 of the next one. */
export function latency(milliseconds: number): string {
  if (!Number.isFinite(milliseconds)) return absent;
  const size = Math.abs(milliseconds);
  if (size === 0) return '0 µs';
  if (size < 0.00995) return `${fixed(milliseconds * 1000, 2)} µs`;
  if (size < 0.85) return `${fixed(milliseconds * 1000, 0)} µs`;
  if (size < 850) return `${fixed(milliseconds, 2)} ms`;
  return `${fixed(milliseconds / 1000, 2)} s`;
}

/** CPU time: `3.42 µs`, `41.2 µs`, `412 µs`, `1.24 ms`, `1.70 s`. */
export function cpuTime(microseconds: number): string {
  if (!Number.isFinite(microseconds)) return absent;
  const size = Math.abs(microseconds);
  if (size >= 850_000) return `${threeDigits(microseconds / 1e6)} s`;
  if (size >= 850) return `${threeDigits(microseconds / 1000)} ms`;
  return `${threeDigits(microseconds)} µs`;
}

/** An amount to three digits: `1,234.50 USD`, `0.0139 USD`, `0.0000444 USD`. */
export function money(amount: number, currency: string): string {
  if (!Number.isFinite(amount)) return absent;
  const size = Math.abs(amount);
  const decimals = size === 0 ? 0 : size >= 1 ? 2 : Math.min(12, 2 - Math.floor(Math.log10(size)));
  return `${fixed(amount, decimals)} ${currency}`;
}

/** `13.8 MiB`, `512 KiB`, `1.50 GiB`, `133 B`. */
export function size(bytes: number): string {
  if (!Number.isFinite(bytes)) return absent;
  const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB'];
  let value = bytes;
  let unit = 0;
  // 999.5, so that three digits never round up to a fourth.
  while (Math.abs(value) >= 999.5 && unit < units.length - 1) {
    value /= 1024;
    unit += 1;
  }
  return `${unit === 0 ? fixed(value, Number.isInteger(value) ? 0 : 1) : threeDigits(value)} ${units[unit]}`;
}

/** A factor between two figures: `2.4x`, `0.46x`, `1.04x`, `120x`. */
export function factor(value: number): string {
  if (!Number.isFinite(value)) return absent;
  const size = Math.abs(value);
  return `${fixed(value, size >= 99.95 ? 0 : size >= 1.095 ? 1 : 2)}x`;
}

/** A part of something: 0.46 is `46%`, 0.0042 is `0.42%`. */
export function share(value: number): string {
  const percent = value * 100;
  if (!Number.isFinite(percent)) return absent;
  const size = Math.abs(percent);
  return `${fixed(percent, size >= 9.95 || size === 0 ? 0 : size >= 0.995 ? 1 : 2)}%`;
}

/** Of what should not be: what there is is never `0%`. `3.1%`, `<0.01%`. */
export function failureShare(value: number): string {
  return value > 0 && value < 0.00005 ? '<0.01%' : share(value);
}

/** Milliseconds with one decimal, as ab prints deviations: `101.4 ms`. */
export function tenths(milliseconds: number): string {
  return Number.isFinite(milliseconds) ? `${fixed(milliseconds, 1)} ms` : absent;
}

/** A change from something: 1.33 is `+133%`, -0.062 is `-6.2%`. */
export function change(value: number): string {
  if (!Number.isFinite(value)) return absent;
  const text = share(value);
  return value > 0 && text !== absent ? `+${text}` : text;
}

/** CPU use, where 100% is one core busy all the time: 1.167 is `116.7%`. */
export function coreShare(cores: number): string {
  return Number.isFinite(cores * 100) ? `${fixed(cores * 100, 1)}%` : absent;
}

/** Of something for each request: whole counts as they are, others to three digits: `1`, `1.50`, `12.3`, `0.0021`. */
export function perRequest(value: number): string {
  if (!Number.isFinite(value)) return absent;
  if (Number.isInteger(value)) return grouped(value);
  return Math.abs(value) >= 0.1 ? threeDigits(value) : String(Number(value.toPrecision(2)));
}

/** A span of time: `8.4 s`, `42 s`, `3 min 12 s`, `1 h 04 min`. */
export function span(seconds: number): string {
  if (!Number.isFinite(seconds)) return absent;
  if (seconds < 9.95) return `${Number(seconds.toFixed(1))} s`;
  const whole = Math.round(seconds);
  if (whole < 60) return `${whole} s`;
  if (whole < 3600) return `${Math.floor(whole / 60)} min ${String(whole % 60).padStart(2, '0')} s`;
  const minutes = Math.round(whole / 60);
  return `${Math.floor(minutes / 60)} h ${String(minutes % 60).padStart(2, '0')} min`;
}

/** `1 case`, `2 cases`, `0 cases`. */
export function counted(number: number, noun: string, plural = `${noun}s`): string {
  return `${grouped(number)} ${number === 1 ? noun : plural}`;
}

function threeDigits(value: number): string {
  if (value === 0) return '0';
  const size = Math.abs(value);
  if (size < 0.00995) return String(Number(value.toPrecision(2)));
  return fixed(value, size >= 99.95 ? 0 : size >= 9.995 ? 1 : 2);
}

function fixed(value: number, digits: number): string {
  const text = Math.abs(value).toFixed(digits);
  if (text.includes('e')) return value.toExponential(2);
  const [whole = '', fraction] = text.split('.');
  const separated = whole.replace(/\B(?=(\d{3})+$)/g, ',');
  const negative = value < 0 && Number(text) !== 0;
  return `${negative ? '-' : ''}${separated}${fraction === undefined ? '' : `.${fraction}`}`;
}
