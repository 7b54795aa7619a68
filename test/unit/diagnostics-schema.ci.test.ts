import { Ajv } from "ajv";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { createReporter, type Diagnostic } from "../../generator/language/diagnostics/index.ts";
import { sourceText } from "../../generator/language/source/index.ts";
import { checkStructure } from "../../generator/language/structure/index.ts";
import { parseYaml, valueOf, type Node } from "../../generator/language/syntax/index.ts";
import schema from "../../spec/schema/spec.schema.json" with { type: "json" };
import { casesFolder, filesUnder } from "./diagnostics-cases.ts";
import { fc, runs } from "../seed.ts";

const root = join(import.meta.dirname, "../..");
const ajv = new Ajv({ strict: false, allErrors: true });
const conforms = ajv.compile(withoutHints(schema));
const conformsForEditors = ajv.compile({ ...schema, $id: "editors" });

/** Texts of every spec file there is, right and wrong. */
const texts = ["spec/ledger", "spec/operator"].flatMap((folder) => [
  ...filesUnder(join(root, folder)).values(),
]);
const wrongTexts = [...filesUnder(casesFolder).values()];

describe("the schema that editors use and the check of the generator", () => {
  test("the shipped specs pass both", () => {
    for (const text of texts) {
      const node = fileNode(text);
      expect(node && findings(node)).toEqual([]);
      expect(node && conformsForEditors(valueOf(node))).toBe(true);
    }
  });

  test("agree on every case", () => {
    let refused = 0;
    for (const text of wrongTexts) {
      const node = fileNode(text);
      if (node === undefined) continue;
      expectAgreement(node);
      if (!conforms(valueOf(node))) refused += 1;
    }
    expect(refused).toBeGreaterThan(10);
  });

  test("agree on specs in which something was replaced", () => {
    const replacement = fc.constantFrom(
      null,
      true,
      0,
      -1,
      2.5,
      1e12,
      "",
      " ",
      "x",
      "4.1",
      "D-1",
      [],
      ["x", "x"],
      [1],
      {},
      { doc: "x" },
    );
    fc.assert(
      fc.property(
        fc.constantFrom(...texts, ...wrongTexts),
        fc.noBias(fc.nat()),
        replacement,
        (text, place, value) => {
          const node = fileNode(text);
          if (node === undefined) return;
          const inner = innerNodes(node);
          const target = inner[place % inner.length];
          const changed = readable(JSON.stringify(replaced(node, target, value)));
          if (changed !== undefined) expectAgreement(changed);
        },
      ),
      { numRuns: runs(40) },
    );
  });
});

/** What the check finds, Ajv finds; and the reverse, but for text of blanks, which JSON Schema cannot tell. */
function expectAgreement(node: Node): void {
  const found = findings(node).filter(({ code }) => code !== "empty-text");
  const isRight = conforms(valueOf(node));
  if (found.length > 0) expect([isRight, found]).toEqual([false, found]);
  if (!isRight)
    expect([findings(node), ajv.errorsText(conforms.errors)]).not.toEqual([
      [],
      ajv.errorsText(conforms.errors),
    ]);
}

function findings(node: Node): readonly Diagnostic[] {
  const reporter = createReporter();
  checkStructure(node, reporter);
  return reporter.diagnostics;
}

/** Texts of files, which are edited again and again, are read once. */
const nodes = new Map<string, Node | undefined>();

function fileNode(text: string): Node | undefined {
  if (!nodes.has(text)) nodes.set(text, readable(text));
  return nodes.get(text);
}

function readable(text: string): Node | undefined {
  const { value, diagnostics } = parseYaml(sourceText("x.yaml", text));
  return diagnostics.length === 0 ? value : undefined;
}

function innerNodes(node: Node): readonly Node[] {
  if (node.kind === "map") return [node, ...node.entries.flatMap((entry) => innerNodes(entry.value))];
  return node.kind === "list" ? [node, ...node.items.flatMap(innerNodes)] : [node];
}

function replaced(node: Node, target: Node | undefined, value: unknown): unknown {
  if (node === target) return value;
  if (node.kind === "map") {
    return Object.fromEntries(node.entries.map((entry) => [entry.key, replaced(entry.value, target, value)]));
  }
  return node.kind === "list" ? node.items.map((item) => replaced(item, target, value)) : valueOf(node);
}

/** The schema without `anyOf`, which is there for editors: the reader says these things, with more to the point. */
function withoutHints(value: typeof schema): object {
  return JSON.parse(JSON.stringify(value, (key, inner: unknown) => (key === "anyOf" ? undefined : inner)));
}
