import { expect, test } from "vitest";
import { loadServiceModel } from "../../generator/model/index.ts";
import { readerOf } from "./diagnostics-cases.ts";

const spec = `interface:
  name: tasks
  wire: { protocol: json-rpc-2.0 }
  schemes:
    user: { kind: jwt, issuer: https://id.example, algorithms: [ES256, EdDSA], doc: A member of the staff., x-note: 1 }
    machine: { kind: api-key, header: X-Api-Key }
    signed: { kind: hmac, header: X-Signature, covers: [timestamp, body], window: 60 }
    desk: { kind: x-desk, floors: [1, 2] }
  security: [{ user: [] }]
methods:
  list: { payload: { fields: [] } }
  delete:
    security: [{ signed: [], machine: [] }, { user: ["tasks:write", "tasks:read"] }, { desk: [] }]
    payload: { fields: [] }
  ping: { security: [], payload: { fields: [] } }
  search: { security: [{ user: [] }, {}], payload: { fields: [] } }
`;

function modelOf(text: string) {
  return loadServiceModel("tasks", readerOf(new Map([["tasks/interface.yaml", text]])));
}

test("the model has the schemes by name, with the options that the spec gives", () => {
  const { value, diagnostics } = modelOf(spec);
  expect(diagnostics).toEqual([]);
  expect(value?.schemes.map(({ name, kind, options }) => [name, kind, options])).toEqual([
    ["desk", "x-desk", { floors: [1, 2] }],
    ["machine", "api-key", { header: "X-Api-Key" }],
    ["signed", "hmac", { covers: ["timestamp", "body"], header: "X-Signature", window: 60 }],
    ["user", "jwt", { algorithms: ["ES256", "EdDSA"], issuer: "https://id.example" }],
  ]);
  expect(value?.schemes.map(({ doc }) => doc)).toEqual(["", "", "", "A member of the staff."]);
});

test("each method has its own security, or that of the interface", () => {
  const methods = modelOf(spec).value?.methods.map(({ name, security }) => [name, security]);
  const asked = (scheme: string, ...scopes: readonly string[]) => ({ scheme, scopes });
  expect(Object.fromEntries(methods ?? [])).toEqual({
    list: [[asked("user")]],
    delete: [
      [asked("machine"), asked("signed")],
      [asked("user", "tasks:write", "tasks:read")],
      [asked("desk")],
    ],
    ping: [],
    search: [[asked("user")], []],
  });
});

test("the signed envelope refuses schemes, and says what it has instead", () => {
  const envelope = `interface:
  { name: tasks, title: Tasks, revision: 1.0.0, path: /rpc, doc: Tasks., schemes: { user: { kind: basic } }, security: [] }
`;
  const { diagnostics } = modelOf(envelope);
  expect(diagnostics.map(({ code, hint }) => [code, hint?.split(":")[0]])).toEqual([
    ["key-of-other-protocol", "write `auth`"],
    ["key-of-other-protocol", "write `auth`"],
  ]);
});

test.each([
  ["schemes", "schemes: [user]"],
  ["security", "security: { user: [] }"],
  ["an alternative", "security: [user]"],
  ["scopes", "security: [{ user: all }]"],
  ["window", "schemes: { user: { kind: jwt, algorithms: [ES256], window: long } }"],
  ["algorithms", "schemes: { user: { kind: jwt, algorithms: ES256 } }"],
])("%s of a wrong type are reported once", (_what, line) => {
  const text = `interface:\n  name: tasks\n  wire: { protocol: json-rpc-2.0 }\n  ${line}\n`;
  expect(modelOf(text).diagnostics.map(({ code }) => code)).toContain("wrong-type");
});
