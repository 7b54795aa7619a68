import { describe, expect, it, test } from "vitest";
import { inSubjects } from "../../generator/targets/client/subjects.ts";
import { emitter } from "../../generator/targets/client/index.ts";
import { loadServiceModel } from "../../generator/model/index.ts";
import { sourceText } from "../../generator/language/source/index.ts";
import { tasksLayout } from "./standard/tasks.ts";

const heading = "// Generated.\n";
const pieces = {
  "README.md": "# A package\n",
  "index.ts": `${heading}export * from "./low.ts";\nexport { high, type Height } from "./high.ts";\n`,
  "low.ts": `${heading}/** The lower one. */\nexport const low = 1;\n\nexport type Low = typeof low;\n`,
  "high.ts": `${heading}import { low as lowest } from "./low.ts";\nimport { far } from "./far.ts";\n\nexport type Height = number;\n\nexport const high: Height = lowest + far;\n`,
  "far.ts": `${heading}export const far = 2;\n`,
  "unused.ts": `${heading}export const unused = 3;\n`,
};

describe("the files of a client", () => {
  it("are pieces put together, with imports of what lies elsewhere, and without what nobody reaches", () => {
    const files = inSubjects(pieces, { levels: ["low", "high"] }, ["index"]);
    expect(files).toEqual({
      "README.md": pieces["README.md"],
      "far.ts": pieces["far.ts"],
      "index.ts": `${heading}export { type Height, type Low, high, low } from "./levels.ts";\n`,
      "levels.ts": `${heading}import { far } from "./far.ts";\n\n/** The lower one. */\nexport const low = 1;\n\nexport type Low = typeof low;\n\nexport type Height = number;\n\nexport const high: Height = low + far;\n`,
    });
  });

  it("never give one name two meanings: a piece that declares a name again stays on its own", () => {
    const clashing = { ...pieces, "far.ts": `${heading}export const low = 2;\n` };
    const files = inSubjects(clashing, { levels: ["low", "far"] }, ["index", "far"]);
    expect(files["far.ts"]).toBe(clashing["far.ts"]);
    expect(files["levels.ts"]).toContain("export const low = 1;");
    const imported = {
      ...pieces,
      "near.ts": `${heading}import { far as low } from "./far.ts";\n\nexport const near = low;\n`,
    };
    expect(() => inSubjects(imported, { levels: ["low", "near"] }, ["index", "near"])).toThrow(
      "levels.ts uses low for two things",
    );
  });

  it("of an interface with two methods are fewer than ten", () => {
    expect([...filesOf(desk).keys()].toSorted()).toEqual([
      "README.md",
      "client.ts",
      "connection.ts",
      "errors.ts",
      "index.ts",
      "messages.ts",
      "operations.ts",
      "package.json",
      "types.ts",
    ]);
  });
});

test("a package offers a type of the spec where one of ours has its name", () => {
  const index = (text: string) => filesOf(text).get("index.ts");
  expect(index(desk)).toMatch(/\bAnswer,/);
  const named = desk.replace(
    "methods:",
    "types:\n  Answer: { fields: [{ name: text, type: string }] }\nmethods:",
  );
  expect(index(named)).not.toMatch(/\bAnswer\b/);
  expect(index(named)).toContain('export type * from "./types.ts";');
});

/** The texts of a client, by the names of its files. */
function filesOf(text: string): ReadonlyMap<string, string> {
  const { value: model, diagnostics } = loadServiceModel("spec", () => [sourceText("spec/desk.yaml", text)]);
  if (model === undefined) throw new Error(diagnostics.map(({ message }) => message).join("\n"));
  const drafts = emitter.emit(model, { ...tasksLayout, targets: ["client"] });
  return new Map(drafts.map((draft) => [draft.path.slice(draft.path.lastIndexOf("/") + 1), draft.text]));
}

const desk = `interface:
  name: desk
  wire: { protocol: json-rpc-2.0 }
methods:
  add: { payload: { fields: [{ name: a, type: number }, { name: b, type: number }] }, result: number }
  list: { effect: read, result: array of string }
`;
