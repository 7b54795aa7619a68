import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { loadEmitters } from "../../generator/targets/index.ts";
import { prints } from "../../generator/targets/prints.ts";
import { loadServiceModel } from "../../generator/model/index.ts";
import { sourceText } from "../../generator/language/source/index.ts";
import { testService } from "../../runtime/testing.ts";
import type { JsonRpcInterfaceDescriptor } from "../../runtime/contract/index.ts";
import { compile, createProject, type Project } from "./emit-project.ts";

const spec = `
interface: { name: tasks, wire: { protocol: json-rpc-2.0, params: either } }
methods:
  list:
    payload:
      fields:
        - { name: owner, type: string }
        - { name: limit, type: integer, maximum: 100, default: 50 }
        - { name: states, type: array of string, default: [OPEN] }
        - { name: note, type: string|null, default: none at all }
    result: json
`;

const layout = { out: "generated/tasks", handlers: "handlers", contract: "runtime/contract/index.ts" };

let project: Project;

beforeAll(async () => {
  const { value: model } = loadServiceModel("tasks", () => [sourceText("tasks/spec.yaml", spec)]);
  if (model === undefined) throw new Error("the spec has mistakes");
  const drafts = (await loadEmitters())
    .filter(({ name }) => ["types", "methods", "support", "validators", "errors", "zod"].includes(name))
    .filter((emitter) => prints(emitter, model))
    .flatMap((emitter) => emitter.emit(model, layout));
  const uses = {
    path: "uses.ts",
    text: `import type { ListPayload } from "./generated/tasks/types.ts";
export const limitOf = ({ limit, states, note }: ListPayload): number => limit + states.length + (note ?? "").length;
`,
  };
  project = await createProject([...drafts, uses]);
});
afterAll(() => project.remove());

test("handlers find the defaults of what callers leave out", async () => {
  const module: unknown = await import(pathToFileURL(join(project.root, layout.out, "methods.ts")).href);
  const [descriptor] = Object.values(module ?? {}).filter(isDescriptor);
  if (descriptor === undefined) throw new Error("no descriptor was generated");
  const handlers = { list: (payload: object) => Promise.resolve(payload) };
  const peer = testService(descriptor, handlers);
  const defaults = { limit: 50, states: ["OPEN"], note: "none at all" };
  expect(await peer.call("list", { owner: "ada" })).toEqual({ owner: "ada", ...defaults });
  expect(await peer.call("list", ["ada", 7])).toEqual({ owner: "ada", ...defaults, limit: 7 });
  // Null by position is absent, unless it is a value.
  expect(await peer.call("list", ["ada", null, [], null])).toEqual({
    owner: "ada",
    limit: 50,
    states: [],
    note: null,
  });
  await expect(peer.call("list", { owner: "ada", limit: 101 })).rejects.toMatchObject({ code: -32602 });
});

test("handlers need not ask whether a value with a default is there", async () => {
  expect(await compile(project.root, ["uses.ts", "generated", "runtime/contract"])).toBe("");
});

function isDescriptor(value: unknown): value is JsonRpcInterfaceDescriptor {
  return typeof value === "object" && value !== null && "protocol" in value;
}
