import { fillPage } from "../../print/template.ts";
import { draw, type Graph } from "./diagram.ts";

/**
 * A flowchart of Mermaid as a picture: nodes with texts, arrows with texts, `&`. Undefined for any other diagram, which is
 * shown as it is written. `number` tells apart the pictures of a page.
 */
export function flowchartHtml(text: string, number: number): string | undefined {
  const graph = parse(text);
  const diagram = graph && draw(graph);
  if (graph === undefined || diagram === undefined) return undefined;
  return fillPage("pages/flowchart", { ...diagram, words: wordsOf(graph), number, arrow: `flow-${number}` });
}

function parse(text: string): Graph | undefined {
  const [head = "", ...lines] = text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "" && !line.startsWith("%%"));
  const direction = directions[/^(?:flowchart|graph) ([A-Z]{2})$/.exec(head)?.[1] ?? ""];
  const names: string[] = [];
  const labels = new Map<string, string>();
  const edges: Graph["edges"][number][] = [];
  for (const line of lines) {
    const reader = readerOf(line);
    let from = readNodes(reader);
    while (from.length > 0 && !reader.isAtEnd()) {
      const [arrow, quoted, plain] = reader.take(arrowPattern) ?? [];
      const to = arrow === undefined ? [] : readNodes(reader);
      for (const one of from)
        for (const other of to) edges.push({ from: one, to: other, label: quoted ?? plain ?? "" });
      from = to;
    }
    if (from.length === 0) return undefined;
  }
  if (direction === undefined || names.length === 0) return undefined;
  return {
    direction,
    nodes: names.map((name) => ({ label: labels.get(name) ?? name, kind: "state" })),
    edges,
  };

  function readNodes(reader: LineReader): readonly number[] {
    const nodes: number[] = [];
    do {
      const [, name] = reader.take(namePattern) ?? [];
      if (name === undefined) return [];
      const [, quoted, plain] = reader.take(labelPattern) ?? [];
      const label = quoted ?? plain;
      if (label !== undefined) labels.set(name, label);
      nodes.push(numberOf(name));
    } while (reader.take(andPattern) !== undefined);
    return nodes;
  }

  function numberOf(name: string): number {
    const known = names.indexOf(name);
    return known < 0 ? names.push(name) - 1 : known;
  }
}

const directions: Readonly<Record<string, Graph["direction"]>> = {
  LR: "LR",
  RL: "RL",
  TB: "TB",
  TD: "TB",
  BT: "BT",
};

const namePattern = /([A-Za-z]\w*)/y;
const labelPattern = /(?:\[\(|\(\[|[[({])(?:"([^"]*)"|([^"()[\]{}]*))(?:\)\]|\]\)|[\])}])/y;
const arrowPattern = /-- ?"([^"]*)" ?-->|-->\|([^|]*)\||-->|---|-\.->|==>/y;
const andPattern = /&/y;

interface LineReader {
  /** What matches here; blanks before and after it are passed over. */
  take(pattern: RegExp): RegExpExecArray | undefined;
  isAtEnd(): boolean;
}

function readerOf(line: string): LineReader {
  let at = 0;
  return {
    take(pattern) {
      pattern.lastIndex = at;
      const found = pattern.exec(line);
      if (found === null) return undefined;
      at = pattern.lastIndex;
      while (line[at] === " ") at += 1;
      return found;
    },
    isAtEnd: () => at >= line.length,
  };
}

/** The arrows in words, for those who do not see the picture. */
function wordsOf({ nodes, edges }: Graph): string {
  const arrows = edges.map(({ from, to, label }) => {
    const ends = `${nodes[from]?.label} to ${nodes[to]?.label}`;
    return label === "" ? ends : `${ends}: ${label}`;
  });
  return `Diagram. ${arrows.join("; ")}`;
}
