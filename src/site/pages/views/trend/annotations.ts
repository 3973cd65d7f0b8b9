import { visible } from '../../../../core/format/text.ts';
import { element } from '../../element.ts';
import { timeText } from '../../metric-figure.ts';
import { changeText, levelChange } from './drawings.ts';
import { LEVEL_SIGN, markOf } from './marks.ts';
import { acceptedOf, cpuChanges, type Trend } from './model.ts';
import { markText } from './selection.ts';

const MOST = 300;

interface Annotation {
  place: number;
  text: string;
}

/** All that the charts mark, in words, the newest first. Each leads to the details of its run. */
export function annotationList(trend: Trend, choose: (place: number) => void): HTMLElement | null {
  const all = annotationsOf(trend);
  if (all.length === 0) return null;
  const items = all.slice(0, MOST).map(({ place, text }) => {
    const button = element('button', { type: 'button', class: 'plain' }, timeText(trend.runs[place]!.at));
    button.addEventListener('click', () => choose(place));
    return element('li', {}, button, ` ${text}`);
  });
  const more = all.length > MOST ? element('p', { class: 'quiet' }, `The newest ${MOST} of ${all.length}.`) : null;
  return element(
    'details',
    {},
    element('summary', { id: 'trend-annotations' }, `Releases, verdicts and other marks (${all.length})`),
    element('ul', { class: 'annotations' }, ...items),
    more,
  );
}

export function annotationsOf(trend: Trend): Annotation[] {
  const { runs, cpus, lines, metric } = trend;
  const breaks = new Set(cpuChanges(cpus));
  return runs
    .flatMap((run, place): Annotation[] => {
      const found = lines.flatMap((line) => {
        const mark = markOf(line, place);
        if (mark === null || mark === 'inconclusive') return [];
        const change = mark === 'regression' || mark === 'improvement' ? ` ${changeText(line, place)}` : '';
        return [`${markText(run, mark, change)}, ${line.title}`];
      });
      const levels = lines.flatMap((line) => {
        const found = levelChange(trend, line, place);
        if (found === null) return [];
        const said = [`${LEVEL_SIGN} change point ${found.said}`, found.commits?.range, line.title];
        return [said.filter((each) => each !== undefined).join(', ')];
      });
      const texts = [
        ...(run.release === null ? [] : [`release ${visible(run.release)}`]),
        ...(breaks.has(place) ? [`from here on: ${visible(cpus[place]!) || 'a CPU that is not known'}`] : []),
        ...acceptedOf(run, metric).map(({ cases, reason }) => `accepted for ${visible(cases)}: ${visible(reason)}`),
        ...found,
        ...levels,
      ];
      return texts.map((text) => ({ place, text }));
    })
    .reverse();
}
