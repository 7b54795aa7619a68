import { posix } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { FileDraft } from "../../generator/targets/emitter.ts";
import { loadEmitters } from "../../generator/targets/index.ts";
import { prints } from "../../generator/targets/prints.ts";
import { loadServiceModel, type ServiceModel } from "../../generator/model/index.ts";
import { projectFolder } from "../../generator/output/index.ts";
import { plan } from "../../generator/output/plan.ts";
import { render } from "../../generator/output/render.ts";
import { readerOf } from "./diagnostics-cases.ts";
import { modelOf as checkedModel } from "../vectors/models.ts";
import { compile, createProject, type Project } from "./emit-project.ts";

/** Every construct that an interface of JSON-RPC 2.0 adds to the language. */
const tasks = `
interface:
  name: task-board
  title: Task board
  wire:
    protocol: json-rpc-2.0
    params: either
    http: { path: /tasks, status: mapped, notified: 202 }
    batch: { max: 20 }
    transports: [http, websocket]
  schemes:
    user: { kind: jwt, algorithms: [ES256], issuer: "https://id.example" }
    machine: { kind: api-key, header: X-Api-Key }
    signed: { kind: hmac, header: X-Signature, covers: [timestamp, body] }
  security: [{ user: [] }]
  services: { task: {} }
  faults: { forbidden: DENIED }
methods:
  task.list:
    effect: read
    payload: { fields: [{ name: state, type: State }, { name: owner, type: string, optional: true }] }
    result: { fields: [{ name: tasks, type: array of Task }] }
    errors: { GONE: { message: Gone for good }, "lost-it": {} }
  task.add:
    security: [{ user: ["tasks:write"] }, { machine: [], signed: [] }, {}]
    effect: create
    params: by-name
    payload: Task
    result: Task
    errors: { GONE: {} }
  touched: { security: [], notify: only, params: by-position, payload: { fields: [{ name: id, type: string }] } }
  tools/call: {}
  $/cancel: {}
  constructor: {}
  "ends */ a comment": {}
errors:
  DENIED: { code: -32001, message: Denied, httpStatus: 403 }
  GONE: { code: -32010, message: Gone, data: Task }
  lost-it: { code: -32010, message: "Lost {it}", data: { fields: [{ name: tasks, type: array of Task }] } }
  BUSY: { code: 7, message: Busy, everyMethod: true }
events:
  task.changed: { payload: Task, otherCauses: [A colleague.] }
types:
  State: { enum: [{ value: OPEN }, { value: DONE }] }
  Task: { fields: [{ name: id, type: string }, { name: state, type: State, optional: true }] }
`;

const layout = { out: "generated/tasks", handlers: "bodies/tasks", contract: "runtime/contract/index.ts" };

/** Code that an application writes against the generated code; illegal lines are marked. */
const application = `
import type { JsonRpcInterfaceDescriptor } from "../runtime/contract/index.ts";
import type { TaskAddHandler, TaskListHandler, TouchedHandler } from "../generated/tasks/handlers.ts";
import { errors } from "../generated/tasks/errors.ts";
import { taskBoardInterface } from "../generated/tasks/methods.ts";

interface Contexts {
  readonly read: object;
  readonly write: object;
  readonly callers: { readonly user: { readonly id: string }; readonly machine: number };
}

export const descriptor: JsonRpcInterfaceDescriptor = taskBoardInterface;
export const codes: readonly number[] = [errors.GONE.code];

export const list: TaskListHandler<Contexts> = async ({ state, owner }, context) => {
  if (owner === "gone") throw context.error("GONE", { data: { id: "1" }, cause: new Error("why") });
  if (owner === "lost") throw context.error("lost-it", { data: { tasks: [{ id: "1" }] } });
  if (owner === "busy") throw context.error("BUSY");
  if (owner === "odd") throw context.error("INVALID_PARAMS", { field: "/owner", data: [1, "two"] });
  if (context.signal.aborted) throw context.error("UNAVAILABLE");
  // @ts-expect-error the data of GONE has a type
  context.error("GONE");
  // @ts-expect-error the data of GONE is a task
  context.error("GONE", { data: { name: "1" } });
  // @ts-expect-error there is no such field
  context.error("BUSY", { field: "/nothing" });
  // @ts-expect-error the method does not declare it
  context.error("DENIED_");
  return { tasks: [{ id: "1", state }] };
};

export const add: TaskAddHandler<Contexts> = async (task, context) => {
  if ("user" in context.auth) {
    const id: string = context.auth.user.caller.id;
    // @ts-expect-error only of the alternative that holds
    return { id: id + String(context.auth.machine.caller) };
  }
  const both = "machine" in context.auth ? context.auth.machine.caller + context.auth.signed.scopes.length : 0;
  // @ts-expect-error the application says nothing of the caller of this scheme
  const odd: number = "signed" in context.auth ? context.auth.signed.caller : both;
  if (odd > 1) return task;
  // @ts-expect-error only the list gives it
  context.error("lost-it", { data: { tasks: [] } });
  context.notify?.("task.changed", task);
  // @ts-expect-error there is no such notification
  context.notify?.("task.removed", task);
  // @ts-expect-error the params are a task
  context.notify?.("task.changed", { name: "1" });
  // @ts-expect-error the params are required
  context.notify?.("task.changed");
  return task;
};

export const touched: TouchedHandler<Contexts> = async ({ id }, context) => {
  if (id === "") throw context.error("INVALID_PARAMS");
};
`;

const model = modelOf(tasks);

/** Every type that such interfaces alone have. */
const everyType = checkedModel("test/vectors/specs/every-type");
const everyTypeLayout = { ...layout, out: "generated/every-type", handlers: "bodies/every-type" };

describe("what is generated for a standard interface", () => {
  let drafts: readonly FileDraft[] = [];
  let project: Project;

  beforeAll(async () => {
    const emitters = (await loadEmitters()).filter((emitter) => prints(emitter, model));
    drafts = await render(
      emitters.flatMap((emitter) => [
        ...emitter.emit(model, layout),
        ...emitter.emit(everyType, everyTypeLayout),
      ]),
    );
    project = await createProject([...drafts, { path: "bodies/application.ts", text: application }]);
  });
  afterAll(() => project.remove());

  it("compiles under the strictest checks, and holds handlers to the spec", async () => {
    expect(await compile(project.root, ["generated", "bodies", "runtime/contract"])).toBe("");
  });

  it("is planned whatever the names of methods are", async () => {
    const stubs = drafts.filter(({ path }) => path.startsWith("bodies/tasks/"));
    const request = { folder: projectFolder(project.root), layout, model, generatorVersion: "1" };
    const { value } = await plan({ ...request, rendered: await render(stubs) });
    expect(value?.files.map(({ path }) => path)).toEqual(
      expect.arrayContaining(["bodies/tasks/constructor.ts", "bodies/tasks/cancel.ts"]),
    );
  });

  it("has nothing of the signed envelope", () => {
    expect(drafts.map(({ path }) => path)).not.toContain("generated/tasks/shapes.ts");
    // The conformance suite names codes alike in every protocol.
    for (const { path, text } of drafts.filter(({ path: each }) => !each.includes("/conformance/")))
      expect(text, path).not.toMatch(/missingAuth|authScheme|rpcCode|ServedRevision/);
  });

  it("is read as pages that say how a call is written, and lead to one another", () => {
    const pages = new Map(
      drafts
        .filter(({ path }) => path.startsWith("generated/tasks/reference/"))
        .map(({ path, text }) => [path.replace("generated/tasks/reference/", ""), text]),
    );
    const operation = pages.get("operations/task-list.html") ?? "";
    expect(operation).toContain("By name, in an object, or by position, in an array: state, owner.");
    expect(operation).toContain("Without an id it is a notification, and is not answered.");
    expect(operation).toContain("<code>GONE</code></a> -32010");
    expect(pages.get("errors.html")).toContain("<dt>Code</dt><dd>-32010, HTTP 400</dd>");
    expect(pages.get("errors.html")).toContain("The caller calls too often.");
    expect(operation).toContain(
      '<dt>Authentication</dt><dd>user. <a href="../authentication.html">How</a></dd>',
    );
    expect(pages.get("operations/task-add.html")).toContain(
      "<dd>user (tasks:write), or machine with signed, or none. <a",
    );
    expect(pages.get("operations/touched.html")).toContain("<dd>None: everyone may call it. <a");
    const schemes = pages.get("authentication.html") ?? "";
    expect(schemes.replaceAll(/<[^>]*>/g, "")).toMatch(/curl .*--json/);
    expect(schemes).toContain("<dt><code>issuer</code></dt><dd>https://id.example</dd>");
    expect(schemes).toContain("Authorization: Bearer &lt;token&gt;");
    expect(schemes).toContain("X-Signature: t&#x3D;&lt;unix seconds&gt;");
    expect(schemes).toContain("HMAC-SHA256, in hexadecimal, of timestamp, body;");
    const missing = [...pages].flatMap(([path, text]) =>
      [...text.matchAll(/href="([^"#]+)/g)]
        .map(([, target = ""]) => posix.join(posix.dirname(path), target))
        .filter((target) => !pages.has(target)),
    );
    // The page that calls the service is there where the site is served; until then its links are hidden.
    expect(new Set(missing)).toEqual(new Set(["try/task-board/"]));
  });

  it("describes the interface to the runtime", async () => {
    const { taskBoardInterface: found } = await import(`${project.root}/generated/tasks/methods.ts`);
    expect(found).toMatchObject({
      protocol: "json-rpc-2.0",
      contract: 1,
      name: "task-board",
      title: "Task board",
      path: "/tasks",
      http: { status: "mapped", notified: 202 },
      batch: { max: 20 },
      transports: ["http", "websocket"],
      notifications: { "task.changed": { name: "task.changed" } },
      faults: {
        parseError: { name: "PARSE_ERROR", code: -32_700, message: "Parse error", httpStatus: 400 },
        forbidden: { name: "DENIED", code: -32_001, message: "Denied", httpStatus: 403 },
      },
    });
    expect(found.methods["task.list"]).toMatchObject({
      effect: "read",
      params: "either",
      notify: "allowed",
      parameters: [
        { name: "state", required: true, nullable: false },
        { name: "owner", required: false, nullable: false },
      ],
      errors: {
        GONE: { name: "GONE", code: -32_010, message: "Gone for good" },
        "lost-it": { code: -32_010, message: "Lost {it}" },
        BUSY: { code: 7 },
        DENIED: { code: -32_001 },
        INVALID_PARAMS: { code: -32_602 },
      },
    });
    expect(found.methods["task.add"]).toMatchObject({ params: "by-name", notify: "never" });
    expect(found.methods["task.list"].security).toEqual([{ user: [] }]);
    expect(found.methods["task.add"].security).toEqual([
      { user: ["tasks:write"] },
      { machine: [], signed: [] },
      {},
    ]);
    expect(found.methods.touched.security).toEqual([]);
    expect(found.schemes).toEqual({
      machine: { kind: "api-key", header: "X-Api-Key" },
      signed: { kind: "hmac", covers: ["timestamp", "body"], header: "X-Signature" },
      user: { kind: "jwt", algorithms: ["ES256"], issuer: "https://id.example" },
    });
    expect(found.methods.touched.validateResult).toBeUndefined();
    expect(found.methods["$/cancel"].parameters).toEqual([]);
  });

  it("judges parameters, results and the data of errors", async () => {
    const { taskBoardInterface: found } = await import(`${project.root}/generated/tasks/methods.ts`);
    const list = found.methods["task.list"];
    expect([list.validate({ state: "OPEN" }), list.validate({ state: "SHUT" })]).toEqual([true, false]);
    expect([list.validateResult({ tasks: [] }), list.validateResult({})]).toEqual([true, false]);
    const { validateData } = list.errors.GONE;
    expect([validateData({ id: "1" }), validateData({ id: 1 })]).toEqual([true, false]);
  });
});

function modelOf(text: string): ServiceModel {
  const { value, diagnostics } = loadServiceModel("tasks", readerOf(new Map([["tasks/all.yaml", text]])));
  expect(diagnostics).toEqual([]);
  if (value === undefined) throw new Error("the spec has no model");
  return value;
}
