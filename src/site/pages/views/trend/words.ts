import { counted, grouped } from '../../../../core/format/figures.ts';
import { metricFigure, timeText } from '../../metric-figure.ts';
import { BAND_RUNS, BAND_WIDTH } from './band.ts';
import { cpuChanges, type Trend } from './model.ts';
import type { Question } from './question.ts';

/** What is said beside the charts: each sentence only where it is true of what is shown. */
export function figureWords(trend: Trend, question: Question): string[] {
  const { lines, cpus, withoutReference } = trend;
  const hasBand = question.band && lines.some(({ band }) => band.middle.some((each) => !Number.isNaN(each)));
  const changes = cpuChanges(cpus).length;
  const isNormalised = question.normalised && withoutReference.length < lines.length;
  return [
    ...(hasBand
      ? [
          `Band: the median of the ${BAND_RUNS} runs before each one on the same CPU model (5 at least), and ${BAND_WIDTH} standard deviations to both sides, estimated from the median absolute deviation of these runs.`,
        ]
      : []),
    ...(changes > 0
      ? [
          `The line has a gap wherever the CPU model is another one (${counted(changes, 'time')} here): absolute figures of different CPU models cannot be compared.`,
        ]
      : []),
    ...(lines.some(({ levels }) => levels.length > 0)
      ? [
          'Levels: what a line stayed at between change points, five runs at least (E-divisive, Student’s t). Whatever changed it was committed after the last run of the level before.',
        ]
      : []),
    ...(isNormalised
      ? [
          'Normalised: each figure is divided by that of the reference service at the same endpoint and load in the same run, and multiplied by the median of the reference. Runs without a figure of the reference are left out.',
        ]
      : []),
    ...(question.normalised && withoutReference.length > 0
      ? [`No reference service was measured beside ${withoutReference.join(' and ')}: as measured, not normalised.`]
      : []),
  ];
}

export function changeWords({ changes }: Question): string[] {
  if (changes === 'sum') {
    return [
      'Changes multiplied one after another, from the first run shown. True as far as each run was compared with the one before; what lies between two comparisons is not in it.',
    ];
  }
  return [
    'Each run against its baseline. Where both were measured at the same time on the same machine, its speed is not in the change. Upright lines are the intervals that the verdicts rest on.',
  ];
}

/** `100 runs, 2026-08-01 to 2026-11-20` */
export function rangeText({ runs }: Trend): string {
  const [first, last] = [runs[0], runs.at(-1)];
  if (first === undefined || last === undefined) return 'No runs';
  return `${counted(runs.length, 'run')}, ${timeText(first.at)} to ${timeText(last.at)}`;
}

/** For those who cannot see it: of each line where it began, where it ended, and between what it lay. */
export function figureDescription(trend: Trend): string {
  const { metric, lines } = trend;
  const said = lines.map(({ title, sound }) => {
    const values = sound.filter((each) => !Number.isNaN(each));
    if (values.length === 0) return `${title}: no figure`;
    let [low, high] = [values[0]!, values[0]!];
    for (const value of values) {
      if (value < low) low = value;
      if (value > high) high = value;
    }
    const figure = (value: number) => metricFigure(metric, value);
    return `${title}: ${grouped(values.length)} figures from ${figure(values[0]!)} to ${figure(values.at(-1)!)}, lowest ${figure(low)}, highest ${figure(high)}`;
  });
  return `${metric.title} of ${rangeText(trend)}. ${said.join('; ')}.`;
}

export function changeDescription(trend: Trend): string {
  const said = trend.lines.map(({ title, columns: { change, verdict } }) => {
    const compared = change.filter((each) => !Number.isNaN(each)).length;
    const count = (wanted: string) => verdict.filter((each) => each === wanted).length;
    return `${title}: ${counted(compared, 'change')}, ${counted(count('regression'), 'regression')}, ${counted(count('improvement'), 'improvement')}, ${count('inconclusive')} inconclusive`;
  });
  return `Changes of ${trend.metric.title.toLowerCase()}, ${rangeText(trend)}. ${said.join('; ')}.`;
}
