import { describe, expect, test } from "vitest";
import { loadServiceModel, type ServiceModel } from "../../generator/model/index.ts";
import { readerOf } from "./diagnostics-cases.ts";

const minimal = `
interface:
  name: tasks
  wire: { protocol: json-rpc-2.0 }
methods:
  list: {}
`;

const everything = `
interface:
  name: tasks
  title: Tasks
  revision: 2.0.0
  wire:
    protocol: json-rpc-2.0
    params: by-position
    http: { path: /tasks, status: mapped, notified: 202 }
    batch: false
    transports: [stdio, http]
  services: { Task: {} }
  faults: { forbidden: DENIED }
methods:
  Task.add: { effect: create, payload: { fields: [{ name: text, type: string }] } }
  Task.find: { effect: read, params: either }
  touched: { notify: only, params: by-name }
  tools/call: { effect: create, notify: allowed }
  a.b.c: {}
errors:
  DENIED: { code: -32099, message: "No {access}", httpStatus: 403, everyMethod: true }
  GONE: { code: -32010, message: Gone, data: GoneTask, everyMethod: true }
  LOST: { code: -32010, message: Lost, everyMethod: true }
types:
  GoneTask: { fields: [{ name: id, type: string }] }
`;

describe("a spec of a standard interface", () => {
  test("needs a name, a protocol and methods", () => {
    const { name, title, revision, path, wire, faults, methods } = modelOf(minimal);
    expect({ name, title, revision, path, faults }).toEqual({
      name: "tasks",
      title: "tasks",
      revision: "1.0.0",
      path: "/rpc",
      faults: {},
    });
    expect(wire).toMatchObject({
      protocol: "json-rpc-2.0",
      params: "by-name",
      http: { status: "ok", notified: 204 },
      batch: { max: 50 },
      transports: ["http"],
    });
    expect(methods.map(({ name: method, effect, transport }) => ({ method, effect, transport }))).toEqual([
      {
        method: "list",
        effect: "create",
        transport: { kind: "json-rpc", params: "by-name", notify: "allowed" },
      },
    ]);
  });

  test("says how calls travel", () => {
    const { path, wire } = modelOf(everything);
    expect(path).toBe("/tasks");
    expect(wire).toMatchObject({
      params: "by-position",
      http: { status: "mapped", notified: 202 },
      batch: false,
      transports: ["http", "stdio"],
    });
  });

  test("says how each method is called", () => {
    const transports = modelOf(everything).methods.map(({ name, transport }) => [name, transport]);
    expect(Object.fromEntries(transports)).toEqual({
      "Task.add": { kind: "json-rpc", params: "by-position", notify: "never" },
      "Task.find": { kind: "json-rpc", params: "either", notify: "allowed" },
      touched: { kind: "json-rpc", params: "by-name", notify: "only" },
      "tools/call": { kind: "json-rpc", params: "by-position", notify: "allowed" },
      "a.b.c": { kind: "json-rpc", params: "by-position", notify: "allowed" },
    });
  });

  test("may have an empty text, or one of blanks, among the values of an enum", () => {
    const blank = everything.replace(
      "types:\n",
      'types:\n  Sort: { keep: true, enum: [{ value: "" }, { value: " " }, { value: a }] }\n',
    );
    const shape = modelOf(blank).types.find(({ name }) => name === "Sort")?.shape;
    const values = shape?.kind === "enum" ? shape.values : [];
    expect(values.map(({ value }) => value)).toEqual(["", " ", "a"]);
  });

  test("groups by declared services only", () => {
    const parts = modelOf(everything).methods.map(({ name, service, names }) => [name, service, names.value]);
    expect(parts.toSorted()).toEqual([
      ["Task.add", "Task", "taskAdd"],
      ["Task.find", "Task", "taskFind"],
      ["a.b.c", undefined, "aBC"],
      ["tools/call", undefined, "toolsCall"],
      ["touched", undefined, "touched"],
    ]);
  });

  test("declares integer codes, which errors may share, and what the runtime answers", () => {
    const { errors, wire, types } = modelOf(everything);
    expect(errors.map(({ code, rpcCode, data }) => [code, rpcCode, data])).toEqual([
      ["DENIED", -32_099, undefined],
      ["GONE", -32_010, { kind: "ref", type: "GoneTask" }],
      ["LOST", -32_010, undefined],
    ]);
    expect(types.map(({ name, usedIn }) => [name, usedIn])).toEqual([["GoneTask", ["response"]]]);
    expect(wire).toMatchObject({
      faults: {
        parseError: { code: -32_700, message: "Parse error" },
        forbidden: { name: "DENIED", code: -32_099, message: "No {access}", httpStatus: 403 },
        unauthenticated: { name: "UNAUTHENTICATED", httpStatus: 401 },
      },
    });
  });
});

test("a spec without faults has those of the one that it uses, its types and its errors' data", () => {
  const files = new Map([
    ["shared/all.yaml", everything.replace("name: tasks", "name: shared")],
    [
      "tasks/all.yaml",
      `${minimal.replace("name: tasks", "name: tasks\n  uses: [../shared]")}
  remove: { errors: { GONE: {} } }
`,
    ],
  ]);
  const { value, diagnostics } = loadServiceModel("tasks", readerOf(files));
  expect(diagnostics).toEqual([]);
  expect(value?.wire).toMatchObject({ faults: { forbidden: { name: "DENIED", code: -32_099 } } });
  expect(value?.errors.map(({ code }) => code)).toEqual(["DENIED", "GONE"]);
  expect(value?.types.map(({ name }) => name)).toEqual(["GoneTask"]);
});

function modelOf(text: string): ServiceModel {
  const { value, diagnostics } = loadServiceModel("tasks", readerOf(new Map([["tasks/all.yaml", text]])));
  expect(diagnostics).toEqual([]);
  if (value === undefined) throw new Error("the spec has no model");
  return value;
}
