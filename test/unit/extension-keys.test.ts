import { describe, expect, test } from "vitest";
import { loadServiceModel } from "../../generator/model/index.ts";
import { jsonSchemas } from "../../generator/print/json-schema/json-schema.ts";
import { sourceText } from "../../generator/language/source/index.ts";

const spec = `
interface:
  { name: tasks, title: Tasks, revision: 1.0.0, path: /jsonrpc, doc: Tasks., x-openrpc: { tags: [a] }, faults: {
    ${["badInput", "unauthorized", "badCredential", "unknownKey", "invalidSignature", "conflict"].map((fault) => `${fault}: BAD, `).join("")}
    rateLimited: BAD, unavailable: BAD, internal: BAD } }
errors:
  BAD: { doc: Bad., message: Bad, condition: Bad., action: None., httpStatus: 400, rpcCode: -32602 }
types:
  Task:
    doc: A task.
    x-title: The task
    x-dropped: { not: { required: [done] } }
    fields:
      - { name: title, type: string, x-color: red, x-title: The title }
methods:
  list:
    doc: Lists.
    effect: read
    payload: { fields: [] }
    result: Task
`;

describe("A key that starts with x-", () => {
  test("is legal beside any doc, and in the model", () => {
    const { value, diagnostics } = modelOf(spec);
    expect(diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
    expect(value?.extensions).toEqual({ "x-openrpc": { tags: ["a"] } });
  });

  test("is exported beside what it is about; x-title as title", () => {
    const { value } = modelOf(spec);
    expect(value && jsonSchemas(value, { docs: true }).definitions.Task?.schema).toMatchObject({
      title: "The task",
      "x-dropped": { not: { required: ["done"] } },
      properties: { title: { title: "The title", "x-color": "red" } },
    });
  });

  test("a field's label is its title, and forms read it there", () => {
    const { value } = modelOf(spec.replace("x-title: The title", "label: What to do"));
    expect(value && jsonSchemas(value, { docs: true }).definitions.Task?.schema).toMatchObject({
      properties: { title: { title: "What to do" } },
    });
  });

  test.each([
    ["a name that is no extension", "X-color: red"],
    ["nothing after the hyphen", "x-: red"],
  ])("is refused: %s", (_why, key) => {
    const { diagnostics } = modelOf(spec.replace("x-color: red", key));
    expect(diagnostics.map(({ code }) => code)).toContain("unknown-key");
  });
});

function modelOf(text: string) {
  return loadServiceModel("spec", () => [sourceText("spec/tasks.yaml", text)]);
}
