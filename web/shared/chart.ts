import { el, svg } from "./dom.ts";

export interface Point {
  readonly at: number;
  readonly value: number;
}

const [widthMax, widthMin, height, left, bottom, top] = [640, 320, 200, 70, 24, 12];

/** The least that is shown before the first point, in milliseconds. */
const spanMin = 1_000;

/** A line over time, with a text that says the same. Steps: a value holds until the next one. */
export function timeChart(
  title: string,
  points: readonly Point[],
  show: (value: number) => string,
): HTMLElement {
  const [first] = points;
  const last = points.at(-1);
  if (first === undefined || last === undefined)
    return el("p", { class: "empty" }, "There is nothing to draw yet.");
  // In a picture that is scaled down the texts are too small to read.
  const width = Math.min(widthMax, Math.max(widthMin, document.documentElement.clientWidth - 32));
  const values = points.map(({ value }) => value);
  const low = Math.min(...values, 0);
  const high = Math.max(...values, low + 1);
  // The time before the first point is shown, too: if all changed in one moment, it is a step.
  const from = first.at - Math.max(spanMin, (last.at - first.at) / 12);
  const span = last.at - from;
  const x = (at: number) => left + ((at - from) / span) * (width - left - 8);
  const y = (value: number) => top + ((high - value) / (high - low)) * (height - top - bottom);
  let path = `M${x(from)} ${y(first.value)}`;
  for (const { at, value } of points) path += `H${x(at)}V${y(value)}`;
  const lines = [low, (low + high) / 2, high].map((value) =>
    svg(
      "g",
      {},
      svg("line", { class: "grid", x1: left, x2: width - 8, y1: y(value), y2: y(value) }),
      svg("text", { x: left - 6, y: y(value) + 4, "text-anchor": "end" }, show(value)),
    ),
  );
  const when = whenOf(span);
  const text = `${title}: from ${show(first.value)} on ${when(first.at)} to ${show(last.value)} on ${when(last.at)}; lowest ${show(Math.min(...values))}, highest ${show(Math.max(...values))}.`;
  const picture = svg(
    "svg",
    { class: "chart", viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": text },
    lines,
    svg("path", { class: "line", d: path }),
    svg("text", { x: left, y: height - 6 }, when(from)),
    svg("text", { x: width - 8, y: height - 6, "text-anchor": "end" }, when(last.at)),
  );
  return el("figure", {}, picture, el("figcaption", {}, text));
}

/** A small line without axes; the text beside it says the last value. */
export function sparkline(label: string, values: readonly number[]): SVGElement {
  const high = Math.max(...values, 1);
  const step = values.length > 1 ? 120 / (values.length - 1) : 0;
  const points = values.map((value, index) => `${index * step},${30 - (value / high) * 28}`).join(" ");
  return svg(
    "svg",
    { class: "sparkline", viewBox: "0 0 120 32", role: "img", "aria-label": label },
    svg("polyline", { class: "line", points }),
  );
}

/** Days; within two of them also times. */
function whenOf(span: number): (at: number) => string {
  const time = span < 2 * 86_400_000 ? ({ timeStyle: "medium" } as const) : {};
  return (at) => new Date(at).toLocaleString(undefined, { dateStyle: "short", ...time });
}
