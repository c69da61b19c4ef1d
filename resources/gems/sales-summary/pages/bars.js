/** Computes the bars of a chart from the totals of months; a month below zero hangs below the base line. */

const WIDTH = 720;
const HEIGHT = 240;
const TOP = 8;
const BOTTOM = 24;
const WIDEST = 56;
const MOST_LABELS = 12;

/** `months` are `{ month, total }` with the total as text, such as `-3.50`. */
export function barsOf(months) {
  const values = months.map(({ total }) => Number(total) || 0);
  const highest = Math.max(0, ...values);
  const lowest = Math.min(0, ...values);
  const room = HEIGHT - TOP - BOTTOM;
  const scale = room / (highest - lowest || 1);
  const base = TOP + highest * scale;
  const step = WIDTH / Math.max(1, months.length);
  const width = Math.min(WIDEST, step * 0.75);
  const every = Math.ceil(months.length / MOST_LABELS);
  const bars = months.map(({ month, total }, place) => {
    const height = Math.abs(values[place]) * scale;
    const below = values[place] < 0;
    const x = step * place + (step - width) / 2;
    const label = place % every === 0 ? month : "";
    return { month, total, x, y: below ? base : base - height, width, height, below, label };
  });
  return { bars, base, width: WIDTH, height: HEIGHT };
}
