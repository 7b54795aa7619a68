import { el, show, svg } from "./dom.ts";

export interface Point {
  readonly at: number;
  /** Where it is drawn. */
  readonly value: number;
  /** What people read. */
  readonly text: string;
}

const [widthMax, widthMin, height, left, right, bottom, top] = [640, 320, 200, 56, 12, 24, 12];

/** The least that is shown before the first point, in milliseconds. */
const spanMin = 1_000;

/** About as many lines lie behind a curve. */
const linesWanted = 4;

/** A place on a curve where it is read. */
interface Reading {
  readonly x: number;
  readonly y: number;
  readonly text: string;
}

/**
 * A line over time, read by pointer or arrow keys, with a text that says the same. Steps: a value holds until the
 * next one.
 */
export function timeChart(title: string, points: readonly Point[]): HTMLElement {
  const [first] = points;
  const last = points.at(-1);
  if (first === undefined || last === undefined)
    return el("p", { class: "empty" }, "There is nothing to draw yet.");
  // In a picture that is scaled down the texts are too small to read.
  const width = Math.min(widthMax, Math.max(widthMin, document.documentElement.clientWidth - 32));
  const lowest = points.reduce((least, point) => (point.value < least.value ? point : least));
  const highest = points.reduce((most, point) => (point.value > most.value ? point : most));
  const ticks = ticksOf(Math.min(lowest.value, 0), Math.max(highest.value, 0));
  const [low = 0, high = 1] = [ticks[0], ticks.at(-1)];
  // The time before the first point is shown, too: if all changed in one moment, it is a step.
  const from = first.at - Math.max(spanMin, (last.at - first.at) / 12);
  const span = last.at - from;
  const x = (at: number) => left + ((at - from) / span) * (width - left - right);
  const y = (value: number) => top + ((high - value) / (high - low)) * (height - top - bottom);
  let path = `M${x(from)} ${y(first.value)}`;
  for (const { at, value } of points) path += `H${x(at)}V${y(value)}`;
  const short = new Intl.NumberFormat(undefined, { notation: "compact", maximumSignificantDigits: 3 });
  const lines = ticks.map((value) =>
    svg(
      "g",
      {},
      svg("line", { class: "grid", x1: left, x2: width - right, y1: y(value), y2: y(value) }),
      svg("text", { x: left - 6, y: y(value) + 4, "text-anchor": "end" }, short.format(value)),
    ),
  );
  const when = whenOf(span);
  const times = [
    svg("text", { x: left, y: height - 6 }, when(from)),
    svg("text", { x: width - right, y: height - 6, "text-anchor": "end" }, when(last.at)),
  ];
  const text = `${title}: from ${first.text} on ${when(first.at)} to ${last.text} on ${when(last.at)}; lowest ${lowest.text}, highest ${highest.text}.`;
  const readings = points.map(({ at, value, text: exact }) => ({
    x: x(at),
    y: y(value),
    text: `${exact}, ${when(at)}`,
  }));
  const drawn = [lines, svg("path", { class: "line", d: path }), times];
  return el("figure", {}, readChart(title, width, drawn, readings), el("figcaption", {}, text));
}

/** A drawn curve whose points are read one by one. */
function readChart(
  title: string,
  width: number,
  drawn: Parameters<typeof svg>[2],
  readings: readonly Reading[],
): readonly (SVGElement | HTMLElement)[] {
  const text = el("p", { class: "reading", "aria-hidden": "true" });
  const marker = svg("g", { class: "marker" });
  const picture = svg(
    "svg",
    {
      class: "chart",
      viewBox: `0 0 ${width} ${height}`,
      role: "slider",
      tabindex: 0,
      "aria-label": title,
      "aria-readonly": "true",
      "aria-valuemin": 1,
      "aria-valuemax": readings.length,
    },
    drawn,
    marker,
  );
  let shown = readings.length - 1;
  const read = (index: number): void => {
    shown = Math.max(0, Math.min(index, readings.length - 1));
    const reading = readings[shown];
    if (reading === undefined) return;
    picture.setAttribute("aria-valuenow", String(shown + 1));
    picture.setAttribute("aria-valuetext", reading.text);
    show(text, reading.text);
    show(
      marker,
      svg("line", { x1: reading.x, x2: reading.x, y1: top, y2: height - bottom }),
      svg("circle", { cx: reading.x, cy: reading.y, r: 4 }),
    );
  };
  picture.addEventListener("pointermove", ({ clientX }) => {
    const frame = picture.getBoundingClientRect();
    const at = ((clientX - frame.left) / frame.width) * width;
    read(readings.findLastIndex((reading) => reading.x <= at));
  });
  picture.addEventListener("pointerleave", () => read(readings.length - 1));
  picture.addEventListener("keydown", (event) => {
    const moves: Readonly<Record<string, number>> = {
      ArrowLeft: shown - 1,
      ArrowDown: shown - 1,
      ArrowRight: shown + 1,
      ArrowUp: shown + 1,
      Home: 0,
      End: readings.length - 1,
    };
    const to = moves[event.key];
    if (to === undefined) return;
    event.preventDefault();
    read(to);
  });
  read(shown);
  return [text, picture];
}

/** Round values around two others, from below the lower one to above the higher one. */
function ticksOf(low: number, high: number): readonly number[] {
  const rough = (high - low || 1) / linesWanted;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = power * ([1, 2, 5].find((factor) => factor * power >= rough) ?? 10);
  const [from, to] = [Math.floor(low / step), Math.max(Math.ceil(high / step), Math.floor(low / step) + 1)];
  return Array.from({ length: to - from + 1 }, (_, index) => (from + index) * step);
}

/** A small line without axes; its label says the values. */
export function sparkline(label: string, values: readonly number[]): SVGElement {
  const high = Math.max(...values, 1);
  const step = values.length > 1 ? 120 / (values.length - 1) : 0;
  const points = values.map((value, index) => `${index * step},${30 - (value / high) * 28}`).join(" ");
  return svg(
    "svg",
    { class: "sparkline", viewBox: "0 0 120 32", role: "img", "aria-label": label },
    svg("title", {}, label),
    svg("polyline", { class: "line", points }),
  );
}

/** Days; within two of them times, too, with their zone. */
function whenOf(span: number): (at: number) => string {
  const isShort = span < 2 * 86_400_000;
  const time = isShort ? ({ timeStyle: "long" } as const) : {};
  return (at) => new Date(at).toLocaleString(undefined, { dateStyle: "short", ...time });
}
