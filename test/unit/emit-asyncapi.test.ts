import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { Ajv, type ValidateFunction } from "ajv";
import { describe, expect, test } from "vitest";
import { emitter } from "../../generator/targets/asyncapi/index.ts";
import { loadServiceModel } from "../../generator/model/index.ts";
import { draft7Schema } from "../../generator/print/json-schema/draft7-schema.ts";
import { libraryWith } from "./diff-cases.ts";
import { sourceText } from "../../generator/language/source/index.ts";

const require = createRequire(import.meta.url);
const metaSchema: object = require("@asyncapi/specs/schemas/3.0.0.json");
const ajv = new Ajv({
  strict: false,
  validateFormats: false,
  logger: false,
  meta: false,
  validateSchema: false,
});
/** Of AsyncAPI's own schema: slow to compile. */
let conforms: ValidateFunction | undefined;
const layout = { out: "generated/x", handlers: "handlers", contract: "contract.ts" };

const standard = `
interface: { name: tasks, title: Tasks, wire: { protocol: json-rpc-2.0, transports: [http, websocket] } }
methods:
  add: { payload: { fields: [{ name: title, type: string }] }, result: Task, emits: [changed] }
events:
  changed: { doc: A task is another., payload: Change }
types:
  Task: { fields: [{ name: id, type: string }] }
  Change: { fields: [{ name: task, type: Task }, { name: place, type: "tuple of [integer, string]" }] }
`;

describe("The AsyncAPI document", () => {
  test.each(["ledger", "standard"])("of %s is valid by AsyncAPI's own schema", (name) => {
    const validate = (conforms ??= ajv.compile(metaSchema));
    const document = name === "standard" ? standardDocument() : generated(name);
    expect(validate(document), JSON.stringify(validate.errors)).toBe(true);
    expect(validate({ ...document, channels: { events: { messages: 4 } } })).toBe(false);
    const text = JSON.stringify(document);
    const references = [...text.matchAll(/"#\/components\/(\w+)\/([^"]+)"/g)];
    expect(references.length).toBeGreaterThan(3);
    for (const [, kind = "", part = ""] of references)
      expect(document).toHaveProperty(["components", kind, part]);
  });

  test("has events as they are sent: signed to a webhook, or a notification of JSON-RPC", () => {
    const signed = Object(generated("ledger")).components.messages.accountNew.payload;
    expect(signed.required).toContain("signature");
    const { changed } = Object(standardDocument()).components.messages;
    const schema = { ...changed.payload, components: Object(standardDocument()).components };
    const validate = new Ajv({ strict: false }).compile(schema);
    const params = { task: { id: "a" }, place: [1, "b"] };
    expect(validate({ jsonrpc: "2.0", method: "changed", params })).toBe(true);
    expect(validate({ jsonrpc: "2.0", method: "other", params })).toBe(false);
    expect(validate({ jsonrpc: "2.0", method: "changed", params: { ...params, place: [1, 2] } })).toBe(false);
    expect(validate({ jsonrpc: "2.0", method: "changed", params: { ...params, place: [1, "b", 3] } })).toBe(
      false,
    );
  });

  test("says with which values of the payload a member of a notification is there", () => {
    const library = libraryWith(
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
    const document = JSON.parse(emitter.emit(library, layout)[0]?.text ?? "");
    const { loanOverdue } = document.components.messages;
    const validate = new Ajv({ strict: false }).compile({
      ...loanOverdue.payload,
      components: document.components,
    });
    const common = { source: "s", eventId: "e", eventName: "Loan.OVERDUE", groupId: [], subscriptionId: "s" };
    const sent = (payload: object, members: object): object => {
      return { ...common, timestamp: "t", sequence: 1, payload, signature: "s", ...members };
    };
    expect(validate(sent({ cause: "DUE", id: "1" }, {}))).toBe(true);
    expect(validate(sent({ cause: "LATE", id: "1" }, { fine: 2, loan: "1" }))).toBe(true);
    expect(validate(sent({ cause: "LATE" }, { fine: 2 }))).toBe(true);
    expect(validate(sent({ cause: "LATE", id: "1" }, { fine: 2 }))).toBe(false);
    expect(validate(sent({ cause: "LATE", id: "1" }, { loan: "1" }))).toBe(false);
    expect(validate(sent({ cause: "DUE", id: "1" }, { fine: 2 }))).toBe(false);
    expect(validate(sent({ cause: "DUE", id: "1" }, { loan: "1" }))).toBe(false);
  });

  test("is not there where there are no events", () => {
    expect(
      emitter.emit(modelOf(standard.replace(/events:\n.*\n/, "").replace(", emits: [changed]", "")), layout),
    ).toEqual([]);
  });
});

test("A tuple is written for draft 7 as a list of schemas and no more items", () => {
  const tuple = draft7Schema({
    type: "array",
    prefixItems: [{ type: "integer" }],
    items: false,
    minItems: 1,
  });
  expect(tuple).toEqual({ type: "array", minItems: 1, items: [{ type: "integer" }], additionalItems: false });
});

function standardDocument(): object {
  return JSON.parse(emitter.emit(modelOf(standard), layout)[0]?.text ?? "");
}

function modelOf(text: string) {
  const { value, diagnostics } = loadServiceModel("spec", () => [sourceText("spec/tasks.yaml", text)]);
  if (value === undefined) throw new Error(diagnostics.map(({ message }) => message).join("\n"));
  return value;
}

function generated(name: string): object {
  return JSON.parse(readFileSync(join(import.meta.dirname, `../../generated/${name}/asyncapi.json`), "utf8"));
}
