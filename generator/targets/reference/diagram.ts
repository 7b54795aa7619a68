import dagre from "@dagrejs/dagre";
import type { StateMachineModel, TransitionModel } from "../../model/service-model.ts";

/** A state machine as it is drawn. Lengths are in pixels of the picture. */
export interface Diagram {
  readonly width: number;
  readonly height: number;
  readonly nodes: readonly NodeView[];
  readonly edges: readonly EdgeView[];
}

interface NodeView {
  readonly label: string;
  /** `pseudo` is no state: where things begin, any state, the state that is asked for. */
  readonly kind: "state" | "pseudo" | "start";
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly middleX: number;
  readonly baseline: number;
}

interface EdgeView {
  readonly path: string;
  /** The numbers of its transitions in the table beside the picture. */
  readonly label: string;
  readonly labelX: number;
  readonly labelY: number;
  readonly labelWidth: number;
  readonly labelLeft: number;
  readonly labelTop: number;
}

const characterWidth = 7.7;
const margin = 12;

/** A picture of more states or transitions than this shows nothing: the table says it all. */
const drawnMax = { states: 60, transitions: 200 };

/**
 * Lays out a state machine from left to right. The same machine gives the same picture; one too large to be read as a
 * picture gives none.
 */
export function diagramOf(
  { transitions }: StateMachineModel,
  states: readonly string[],
): Diagram | undefined {
  if (states.length > drawnMax.states || transitions.length > drawnMax.transitions) return undefined;
  const arrows = transitions.map(({ from, to }) => ({ from, to }));
  return draw(states, arrows);
}

type Arrow = Pick<TransitionModel, "from" | "to">;

function draw(states: readonly string[], transitions: readonly Arrow[]): Diagram {
  const graph = new dagre.graphlib.Graph<object, object, { labels: string }>();
  graph.setGraph({ rankdir: "LR", nodesep: 26, ranksep: 70, marginx: margin, marginy: margin });
  const used = new Set(transitions.flatMap(({ from, to }) => [from, to]));
  const labels = [...new Set([...states, ...used])].filter((label) => label !== "none" || used.has("none"));
  // Nodes go by number: the layout keeps them in plain objects, and a state may be called `__proto__`.
  const idOf = (label: string) => String(labels.indexOf(label));
  for (const label of labels) graph.setNode(idOf(label), sizeOf(label));
  for (const [pair, numbers] of numbered(transitions)) {
    const [from = "", to = ""] = pair.split("\u0000");
    const text = numbers.join(", ");
    const width = text.length * characterWidth + 8;
    graph.setEdge(idOf(from), idOf(to), { labels: text, width, height: 18, labelpos: "c" });
  }
  dagre.layout(graph);
  const size = graph.graph();
  return {
    width: Math.ceil(numberOf(size, "width")),
    height: Math.ceil(numberOf(size, "height")),
    nodes: labels.map((label) => nodeView(label, graph.node(idOf(label)))),
    edges: graph.edges().map((edge: Parameters<typeof graph.edge>[0]) => edgeView(graph.edge(edge))),
  };
}

/** The numbers of the transitions between each two states. */
function numbered(transitions: readonly Arrow[]): ReadonlyMap<string, readonly number[]> {
  const pairs = new Map<string, number[]>();
  for (const [index, { from, to }] of transitions.entries()) {
    const pair = `${from}\u0000${to}`;
    pairs.set(pair, [...(pairs.get(pair) ?? []), index + 1]);
  }
  return pairs;
}

function sizeOf(label: string) {
  if (label === "none") return { width: 16, height: 16 };
  return { width: Math.ceil(shown(label).length * characterWidth) + 28, height: 34 };
}

function shown(label: string): string {
  if (label === "any") return "any state";
  return label === "requested" ? "requested state" : label;
}

function nodeView(label: string, place: object): NodeView {
  const [x, y] = [numberOf(place, "x"), numberOf(place, "y")];
  const [width, height] = [numberOf(place, "width"), numberOf(place, "height")];
  const pseudo = label === "any" || label === "requested" ? "pseudo" : "state";
  return {
    label: label === "none" ? "" : shown(label),
    kind: label === "none" ? "start" : pseudo,
    x: rounded(x - width / 2),
    y: rounded(y - height / 2),
    width,
    height,
    middleX: rounded(x),
    baseline: rounded(y + 5),
  };
}

function edgeView(edge: object): EdgeView {
  const points: readonly unknown[] = Reflect.get(edge, "points") ?? [];
  const places = points.filter((point) => typeof point === "object" && point !== null);
  const path = places
    .map((point, index) => {
      const place = `${rounded(numberOf(point, "x"))} ${rounded(numberOf(point, "y"))}`;
      return `${index === 0 ? "M" : "L"}${place}`;
    })
    .join(" ");
  const [x, y, width] = [numberOf(edge, "x"), numberOf(edge, "y"), numberOf(edge, "width")];
  return {
    path,
    label: String(Reflect.get(edge, "labels")),
    labelX: rounded(x),
    labelY: rounded(y + 4.5),
    labelWidth: rounded(width),
    labelLeft: rounded(x - width / 2),
    labelTop: rounded(y - 9),
  };
}

function numberOf(thing: object | undefined, name: string): number {
  const value: unknown = thing === undefined ? undefined : Reflect.get(thing, name);
  return typeof value === "number" ? value : 0;
}

function rounded(length: number): number {
  return Math.round(length * 10) / 10;
}
