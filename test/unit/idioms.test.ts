import { expect, test } from "vitest";
import { importGraph, textOf } from "./import-graph.ts";

/**
 * One way to do what every room does. `web/` has none of its own: its pages import only generated clients; a migration
 * stays as it was released.
 */
const files = [...importGraph(["conformance", "generator", "rpc", "runtime"]).keys()].filter(
  (file) => !file.includes("/migrations/"),
);

const member = String.raw`\{ (?:[\w-]+|"[\w-]+")(?:: [^,\n]{1,200})? \}`;
const ways = [
  String.raw`\?\s+\{\}\s+:\s+${member}`,
  String.raw`\?\s+${member}\s+:\s+\{\}`,
  `&&\\s+${member}`,
];
/** A single member under a condition: `...(name === undefined ? {} : { name })`, or as in the other two ways. */
const conditionalMember = new RegExp(
  String.raw`(?<!\x60.*)\.\.\.\([^\x60{};]{1,300}?(?:${ways.join("|")})\)`,
);

test("a member that may be absent is left out by omitUndefined", () => {
  expect(files.filter((file) => conditionalMember.test(textOf(file)))).toEqual([]);
});

test("the reference and the pages that call the service show the same colours, forced ones too", () => {
  // Each is the whole of a page's style: the one is generated into a folder of its own, the others are served from disk.
  const [reference, pages] = ["templates/reference/assets/style.css", "web/shared/style.css"].map((file) =>
    textOf(file),
  );
  const shared = (style = ""): readonly string[] =>
    [...style.matchAll(/--(?:ground|raised|line|text|quiet|link): [^;]+;/g)].map(([rule]) => rule);
  expect(shared(reference)).toHaveLength(12);
  expect(shared(pages)).toEqual(shared(reference));
});
