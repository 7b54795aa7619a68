import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { Ajv } from "ajv";
import { describe, expect, it } from "vitest";
import { emitter } from "../../generator/targets/openrpc/index.ts";
import { libraryLayout, libraryModel } from "./emit-library-model.ts";

const require = createRequire(import.meta.url);
const { openrpcDocument }: { openrpcDocument: object } = require("@open-rpc/meta-schema");
const { jsonSchema }: { jsonSchema: object } = require("@json-schema-tools/meta-schema");
const [draft] = emitter.emit(libraryModel(), libraryLayout);
const text = draft?.text ?? "";
const document: unknown = JSON.parse(text);

describe("The OpenRPC document", () => {
  it.each(["ledger", "operator", "library"])("of the %s is valid by OpenRPC's own meta-schema", (name) => {
    const ajv = new Ajv({ strict: false, validateFormats: false });
    ajv.addSchema(draft7(jsonSchema));
    const validate = ajv.compile(draft7(openrpcDocument));
    const value: object = name === "library" ? Object(document) : generated(name);
    expect(validate(value), JSON.stringify(validate.errors)).toBe(true);
    expect(validate({ ...value, methods: [{}] })).toBe(false);
  });

  it("has a schema for everything it refers to", () => {
    const references = [...text.matchAll(/"\$ref": ?"#\/components\/(\w+)\/([^"]+)"/g)];
    expect(references.length).toBeGreaterThan(20);
    for (const [, kind = "", name = ""] of references) {
      expect(document).toHaveProperty(["components", kind, decodeURIComponent(name)]);
    }
  });

  it("describes a flat body by its fields and by what selects it", () => {
    expect(document).toHaveProperty(["methods", 2, "params", 0, "name"], "callbackUrl");
    expect(document).toHaveProperty(["methods", 2, "x-flat"], { selectedBy: ["callbackUrl"] });
  });

  it("gives the JSON-RPC integer as code and the documented word as data", () => {
    expect(document).toHaveProperty(["methods", 1, "errors", 6], {
      code: -32602,
      message: "id is invalid or missing",
      data: { code: "BAD_INPUT", httpStatus: 400, action: "Ask" },
    });
  });

  it("shows a result as it is sent: a field with two spellings under both (D-12)", () => {
    const examples = (name: string) =>
      Object(generated("ledger")).methods.find((method: { name: string }) => method.name === name).examples;
    const [beneficiary] = examples("AccountService.GetBeneficiary");
    expect(beneficiary.result.value.legalRepId).toBe(beneficiary.result.value.legalrepId);
    expect(beneficiary.result.value.legalRepId).toEqual(expect.any(String));
    const [listed] = examples("AccountService.ListBeneficiary");
    expect(listed.result.value.beneficiarys[0].legalRepId).toEqual(expect.any(String));
    const [accounts] = examples("AccountService.ListAccounts");
    expect(accounts.result.value.accounts[0].Number).toBe(accounts.result.value.accounts[0].number);
  });
});

function generated(name: string): object {
  const path = join(import.meta.dirname, `../../generated/${name}/openrpc.json`);
  return JSON.parse(readFileSync(path, "utf8"));
}

/**
 * The meta-schemas are written in draft 7 but name their own dialect, which would refer to itself. They refer to each
 * other with and without a closing slash, which Ajv distinguishes.
 */
function draft7(schema: object): object {
  const text = JSON.stringify(schema).replaceAll(/(https:\/\/meta\.json-schema\.tools)\/?/g, "$1/schema");
  return { ...JSON.parse(text), $schema: "http://json-schema.org/draft-07/schema#" };
}
