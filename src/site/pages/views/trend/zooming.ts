import { axisValueAt, placeAt, type TrendChart } from './chart.ts';
import type { Pointer } from './overlays.ts';

interface Zoomable {
  pointer: Pointer;
  choose(place: number): void;
  zoom(from: number, to: number): void;
  step(move: 'in' | 'out', around: number): void;
}

/** Pixels that a press may wander and still be a click. */
const STILL = 8;
/** A wheel sends many events for what is one movement of a hand. */
const BETWEEN_STEPS = 200;

/** A click chooses a run; drawing across zooms into what was drawn over; the wheel zooms with Ctrl, since without it the page scrolls. */
export function zoomable(canvas: HTMLCanvasElement, chartNow: () => TrendChart | null, to: Zoomable): void {
  let start: { clientX: number; value: number } | null = null;
  canvas.addEventListener('pointerdown', (event) => {
    const chart = chartNow();
    if (chart === null || event.button !== 0) return;
    canvas.setPointerCapture(event.pointerId);
    start = { clientX: event.clientX, value: axisValueAt(chart, event) };
  });
  canvas.addEventListener('pointermove', (event) => {
    const chart = chartNow();
    if (chart === null || start === null || Math.abs(event.clientX - start.clientX) < STILL) return;
    to.pointer.dragged = [start.value, axisValueAt(chart, event)];
    chart.draw();
  });
  const end = (event: PointerEvent) => {
    const chart = chartNow();
    const from = start;
    start = null;
    const { dragged } = to.pointer;
    to.pointer.dragged = null;
    if (chart === null || from === null) return;
    chart.draw();
    if (event.type === 'pointercancel') return;
    if (dragged !== null) {
      const [low, high] = dragged[0] < dragged[1] ? dragged : [dragged[1], dragged[0]];
      to.zoom(low, high);
      return;
    }
    const place = placeAt(chart, event);
    if (place !== null) to.choose(place);
  };
  canvas.addEventListener('pointerup', end);
  canvas.addEventListener('pointercancel', end);
  let last = 0;
  canvas.addEventListener(
    'wheel',
    (event) => {
      const chart = chartNow();
      if (chart === null || !(event.ctrlKey || event.metaKey) || event.deltaY === 0) return;
      event.preventDefault();
      if (event.timeStamp - last < BETWEEN_STEPS) return;
      last = event.timeStamp;
      const { min, max } = chart.scales.x!;
      to.step(event.deltaY < 0 ? 'in' : 'out', (axisValueAt(chart, event) - min) / (max - min));
    },
    { passive: false },
  );
}
