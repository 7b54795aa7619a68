import dagre from "@dagrejs/dagre";
import type { StateMachineModel, TransitionModel } from "../../model/service-model.ts";

/** Nodes and edges as they are drawn. Lengths are in pixels of the picture. */
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
  /** Empty where nothing is written on it. */
  readonly label: string;
  readonly labelX: number;
  readonly labelY: number;
  readonly labelWidth: number;
  readonly labelLeft: number;
  readonly labelTop: number;
}

const characterWidth = 7.7;
const margin = 12;

/** A picture of more than this shows nothing. */
const drawnMax = { nodes: 60, edges: 200 };

/** A graph to draw. Edges lead from one node to another, by their numbers. */
export interface Graph {
  readonly direction: "LR" | "RL" | "TB" | "BT";
  readonly nodes: readonly Pick<NodeView, "label" | "kind">[];
  readonly edges: readonly { readonly from: number; readonly to: number; readonly label: string }[];
}

/** A state machine from left to right. An edge has the numbers of its transitions in the table beside the picture. */
export function diagramOf(
  { transitions }: StateMachineModel,
  states: readonly string[],
): Diagram | undefined {
  if (states.length > drawnMax.nodes || transitions.length > drawnMax.edges) return undefined;
  const used = new Set(transitions.flatMap(({ from, to }) => [from, to]));
  const names = [...new Set([...states, ...used])].filter((name) => name !== "none" || used.has("none"));
  return draw({
    direction: "LR",
    nodes: names.map(nodeOf),
    edges: [...numbered(transitions)].map(([pair, numbers]) => {
      const [from = "", to = ""] = pair.split("\u0000");
      return { from: names.indexOf(from), to: names.indexOf(to), label: numbers.join(", ") };
    }),
  });
}

type Arrow = Pick<TransitionModel, "from" | "to">;

function nodeOf(state: string): Graph["nodes"][number] {
  if (state === "none") return { label: "", kind: "start" };
  if (state === "any") return { label: "any state", kind: "pseudo" };
  return state === "requested"
    ? { label: "requested state", kind: "pseudo" }
    : { label: state, kind: "state" };
}

/** Lays out a graph. The same graph gives the same picture; one too large to be read as a picture gives none. */
export function draw({ direction, nodes, edges }: Graph): Diagram | undefined {
  if (nodes.length > drawnMax.nodes || edges.length > drawnMax.edges) return undefined;
  const graph = new dagre.graphlib.Graph<object, object, { labels: string }>();
  graph.setGraph({ rankdir: direction, nodesep: 26, ranksep: 70, marginx: margin, marginy: margin });
  // Nodes go by number: the layout keeps them in plain objects, and a state may be called `__proto__`.
  for (const [number, node] of nodes.entries()) graph.setNode(String(number), sizeOf(node));
  for (const { from, to, label } of edges) {
    const size =
      label === "" ? { width: 0, height: 0 } : { width: label.length * characterWidth + 8, height: 18 };
    graph.setEdge(String(from), String(to), { labels: label, ...size, labelpos: "c" });
  }
  dagre.layout(graph);
  const size = graph.graph();
  return {
    width: Math.ceil(numberOf(size, "width")),
    height: Math.ceil(numberOf(size, "height")),
    nodes: nodes.map((node, number) => nodeView(node, graph.node(String(number)))),
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

function sizeOf({ label, kind }: Graph["nodes"][number]) {
  if (kind === "start") return { width: 16, height: 16 };
  return { width: Math.ceil(label.length * characterWidth) + 28, height: 34 };
}

function nodeView(node: Graph["nodes"][number], place: object): NodeView {
  const [x, y] = [numberOf(place, "x"), numberOf(place, "y")];
  const [width, height] = [numberOf(place, "width"), numberOf(place, "height")];
  return {
    ...node,
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
