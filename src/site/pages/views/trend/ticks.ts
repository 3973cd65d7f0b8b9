const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/** Steps that a calendar has, up to a week; from there on it is months. */
const STEPS = [HOUR, 3 * HOUR, 6 * HOUR, 12 * HOUR, DAY, 2 * DAY, 7 * DAY];
const MONTHS = [1, 2, 3, 6, 12, 24, 60, 120, 1200, 12_000, 120_000];
const MONTH_NAMES = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** Round moments in UTC between two others, at most `most` of them. */
export function timeTicks(from: number, to: number, most: number): number[] {
  const least = (to - from) / Math.max(1, most);
  const step = STEPS.find((each) => each >= least);
  if (step !== undefined) {
    // Weeks begin on Mondays; 1970 began on a Thursday.
    const offset = step === 7 * DAY ? 4 * DAY : 0;
    const first = Math.ceil((from - offset) / step) * step + offset;
    return Array.from({ length: Math.max(0, Math.floor((to - first) / step) + 1) }, (_, index) => first + index * step);
  }
  const months = MONTHS.find((each) => each * 31 * DAY >= least) ?? MONTHS.at(-1)!;
  const ticks: number[] = [];
  const start = new Date(from);
  let month = Math.floor((start.getUTCFullYear() * 12 + start.getUTCMonth()) / months) * months;
  for (let at = Number.NEGATIVE_INFINITY; at <= to; month += months) {
    at = Date.UTC(Math.floor(month / 12), month % 12, 1);
    if (at >= from && at <= to) ticks.push(at);
  }
  return ticks;
}

/** How a moment is written. */
export type MomentText = (at: number) => string;

const dayOf = (date: Date) => `${date.getUTCDate()} ${MONTH_NAMES[date.getUTCMonth()]}`;
const twoDigits = (number: number) => String(number).padStart(2, '0');

const monthText: MomentText = (at) => {
  const date = new Date(at);
  return `${MONTH_NAMES[date.getUTCMonth()]} ${date.getUTCFullYear()}`;
};
const dateText: MomentText = (at) => dayOf(new Date(at));
const yearDateText: MomentText = (at) => `${dateText(at)} ${new Date(at).getUTCFullYear()}`;
const hourText: MomentText = (at) => {
  const date = new Date(at);
  return `${dayOf(date)} ${twoDigits(date.getUTCHours())}:${twoDigits(date.getUTCMinutes())}`;
};

/** How moments of so long a time are written, the shortest way first. */
function textsOf(span: number): readonly [MomentText, ...MomentText[]] {
  if (span < 3 * DAY) return [hourText];
  return span < 300 * DAY ? [dateText, hourText] : [monthText, yearDateText];
}

/** As `12 Nov`, with the hour or the year where those are what tells moments of so long a time, or two of the labels, apart. */
export function distinctText(span: number, labelsWith: (text: MomentText) => readonly string[]): MomentText {
  const texts = textsOf(span);
  const areDistinct = (labels: readonly string[]) => new Set(labels).size === labels.length;
  return texts.find((text) => areDistinct(labelsWith(text))) ?? texts.at(-1)!;
}

/** Places of `count` runs at even steps, at most `most` of them, the first at 0. */
export function placeTicks(count: number, most: number): number[] {
  const least = count / Math.max(1, most);
  const power = 10 ** Math.floor(Math.log10(Math.max(1, least)));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((each) => each >= least) ?? 1;
  return Array.from({ length: Math.ceil(count / step) }, (_, index) => index * step);
}
