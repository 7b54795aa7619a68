import { describe, expect, test } from "vitest";
import { renderDiagnostic } from "../../generator/language/diagnostics/index.ts";
import { loadEmitters } from "../../generator/targets/index.ts";
import { prints } from "../../generator/targets/prints.ts";
import { printChecks } from "../../generator/targets/validators/print-checks.ts";
import { loadServiceModel } from "../../generator/model/index.ts";
import { baseProject, readerOf } from "./diagnostics-cases.ts";

const layout = { out: "out", handlers: "handlers", contract: "contract.ts" };
const emitters = await loadEmitters();

/** What is legal and large works, or is refused in words. */
describe("a big spec", () => {
  test("has an enum of many values, in a condition too", () => {
    const values = Array.from({ length: 1_700 }, (_, at) => `VALUE_${at}`);
    const { value: model, diagnostics } = loaded(`
types:
  Big: { doc: Big., section: "1", enum: [${values.map((value) => `{ value: ${value}, doc: One. }`).join(", ")}] }
  Holder:
    doc: Holds one.
    section: "1"
    fields:
      - { name: big, type: Big, doc: One of many. }
      - { name: why, type: string, requiredWhen: { field: big, is: [${values.slice(1).join(", ")}] }, doc: Why. }
${methodOver("Holder")}`);
    expect(diagnostics).toEqual([]);
    const drafts = model && emitters.flatMap((emitter) => emitter.emit(model, layout));
    expect(drafts?.length).toBeGreaterThan(30);
  });

  test.for([
    ["enum", (at: number) => `{ value: v${at}, doc: One. }`],
    ["fields", (at: number) => `{ name: f${at}, type: string, optional: true, doc: One. }`],
  ] as const)("has %s of 10,000 parts, all on one line", ([key, part]) => {
    const parts = Array.from({ length: 10_000 }, (_, at) => part(at));
    const { value: model, diagnostics } = loaded(
      `types: { Big: { doc: Big., section: "1", ${key}: [${parts.join(", ")}] } }\n${methodOver("Big")}`,
    );
    expect(diagnostics).toEqual([]);
    const drafts = model && emitters.flatMap((emitter) => emitter.emit(model, layout));
    expect(drafts?.length).toBeGreaterThan(30);
  });

  test("is refused once for each of 10,000 mistakes, all on one line", () => {
    const parts = Array.from({ length: 10_000 }, (_, at) => `v${at}`);
    const { diagnostics } = loaded(
      `types: { Big: { doc: Big., section: "1", enum: [${parts.join(", ")}] } }\n${methodOver("Big")}`,
    );
    const shown = diagnostics.map((diagnostic) => renderDiagnostic(diagnostic));
    expect(shown.filter((text) => text.includes("wrong-type"))).toHaveLength(10_000);
    expect(Math.max(...shown.map((text) => text.length))).toBeLessThan(1_000);
  });

  test("has types that refer to one another through as many objects as may be", () => {
    const { value: model } = loaded(chain(1_500));
    if (model === undefined) throw new Error("the chain is refused");
    expect(emitters.flatMap((emitter) => emitter.emit(model, layout)).length).toBeGreaterThan(30);
  });

  test.for([1_501, 5_000])("is refused where there are more: %i types", (count) => {
    expect(loaded(chain(count)).diagnostics.map(({ code }) => code)).toEqual(["types-too-deep"]);
  });

  test("is refused where they go round, however they are found", () => {
    const types = Array.from({ length: 1_600 }, (_, at) => link(at, `Link${(at + 7) % 1_600}`));
    const { diagnostics } = loaded(`types:\n${types.join("")}${methodOver("Link0")}`);
    expect(diagnostics.map(({ code }) => code)).toEqual(["types-too-deep"]);
  });

  test("has circles of as many types, which validators share", () => {
    const types = Array.from({ length: 1_400 }, (_, at) => link(at, `Link${(at + 1) % 1_400}`));
    const { value: model } = loaded(`types:\n${types.join("")}${methodOver("Link0")}`);
    if (model === undefined) throw new Error("the circle is refused");
    const drafts = emitters.flatMap((emitter) => emitter.emit(model, layout));
    const modules = drafts.filter(({ path }) => /^out\/validators\/.*\.js$/.test(path));
    const checks = modules.flatMap(({ text }) => text.match(/^(?:export )?function checkLink7\(/gm) ?? []);
    expect(checks).toHaveLength(1);
  });

  test("has methods whose validators grow with it, not with its square", () => {
    const lengthWith = (count: number): number => {
      const fields = Array.from({ length: 12 }, (_, at) => `{ name: f${at}, type: string, optional: true }`);
      const nodes = Array.from(
        { length: count },
        (_, at) =>
          `  T${at}: { fields: [${fields.join(", ")}, { name: a, type: T${Math.max(0, at - 1)}, optional: true }, { name: b, type: T${Math.floor(at / 2)}, optional: true }] }\n`,
      );
      const methods = nodes.map((_, at) => `  get${at}: { payload: { fields: [] }, result: T${at} }\n`);
      const text = `interface: { name: tasks, wire: { protocol: json-rpc-2.0 } }\nmethods:\n${methods.join("")}types:\n${nodes.join("")}`;
      const { value: model } = loadServiceModel("tasks", readerOf(new Map([["tasks/interface.yaml", text]])));
      if (model === undefined) throw new Error("the spec is refused");
      const drafts = emitters
        .filter(({ name }) => name === "validators")
        .flatMap((emitter) => emitter.emit(model, layout));
      return drafts.reduce((sum, { text: module }) => sum + module.length, 0);
    };
    expect(lengthWith(200) / lengthWith(100)).toBeLessThan(2.2);
  });

  test("has many types that use the same ones", () => {
    const types = Array.from({ length: 1_000 }, (_, at) => link(at, "Shared"));
    const fields = types.map((_, at) => `{ name: f${at}, type: Link${at}, doc: One. }`).join(", ");
    const { value, diagnostics } = loaded(
      `types:\n  Shared: { doc: Shared., section: "1", type: string }\n  All: { doc: All., section: "1", fields: [${fields}] }\n${types.join("")}${methodOver("All")}`,
    );
    expect(diagnostics).toEqual([]);
    expect(value?.types.length).toBeGreaterThan(1_000);
  });

  test("has types of a standard interface that use the next one twice, through many", () => {
    const types = Array.from({ length: 60 }, (_, at) => {
      const next = at < 59 ? `T${at + 1}` : "integer";
      const fields = ["a", "b"].map((name) => `{ name: ${name}, type: ${next}, optional: true }`);
      return `  T${at}: { fields: [${fields.join(", ")}] }\n`;
    });
    const text = `interface: { name: tasks, wire: { protocol: json-rpc-2.0 } }
methods:
  get: { payload: { fields: [{ name: first, type: T0 }] }, result: T0 }
types:
${types.join("")}`;
    const { value: model } = loadServiceModel("tasks", readerOf(new Map([["tasks/interface.yaml", text]])));
    if (model === undefined) throw new Error("the spec is refused");
    const drafts = emitters.flatMap((emitter) => (prints(emitter, model) ? emitter.emit(model, layout) : []));
    expect(drafts.find(({ path }) => path === "out/methods.ts")?.text).toMatch(/name: "get"/);
  });
});

test("an enum in a condition lists every value, whatever their number", () => {
  const values = Array.from({ length: 200 }, (_, at) => `V${at}`);
  const { code } = printChecks("Deep", {
    // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema; no schema is ever awaited
    allOf: [{ if: { properties: { a: { enum: values } }, required: ["a"] }, then: { required: ["b"] } }],
  });
  expect(values.filter((value) => !code.includes(`"${value}"`))).toEqual([]);
});

function chain(count: number): string {
  const types = Array.from({ length: count }, (_, at) =>
    link(at, at + 1 < count ? `Link${at + 1}` : "string"),
  );
  return `types:\n${types.join("")}${methodOver("Link0")}`;
}

function link(at: number, next: string): string {
  return `  Link${at}: { doc: A link., section: "1", fields: [{ name: next, type: ${next}, optional: true, doc: Next. }] }\n`;
}

function methodOver(type: string): string {
  return `methods:
  BookService.Take:
    doc: Takes it.
    section: "1"
    effect: read
    auth: [credential]
    payload: { fields: [{ name: given, type: ${type}, doc: What is given. }] }
    result: { fields: [{ name: taken, type: ${type}, doc: What was taken. }] }
`;
}

/** A spec beside the interface of the cases. */
function loaded(text: string) {
  return loadServiceModel("library", readerOf(new Map([...baseProject(), ["library/big.yaml", text]])));
}
