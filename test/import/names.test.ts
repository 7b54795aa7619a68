import { expect, test } from "vitest";
import { standardClashes } from "../../generator/protocols/json-rpc/client/names.ts";
import { wireOf } from "../../generator/protocols/json-rpc/wire.ts";
import { sharedNames } from "../../generator/targets/index.ts";
import { importDocument } from "../../tools/import/index.ts";
import { loadServiceModel } from "../../generator/model/index.ts";
import { sourceText } from "../../generator/language/source/index.ts";

test("names of a document that generated code would write alike are told apart in the spec, by `codeName`", () => {
  const param = { name: "of", schema: { $ref: "#/components/schemas/item" } };
  const method = (name: string) => ({ name, params: [param], result: { name: "it", schema: true } });
  const document = {
    openrpc: "1.3.2",
    info: { title: "Names", version: "1.0.0" },
    methods: ["get_item", "getItem", "get-item", "put_item"].map(method),
    components: { schemas: { item: { type: "string" }, GetItemPayload: { type: "integer" } } },
  };
  const { files = {} } = importDocument(document, {
    name: "names",
    params: "either",
    lossy: false,
    readExternal: () => ({ problem: "not asked for" }),
  });
  const texts = Object.entries(files).map(([name, text]) => sourceText(`spec/${name}`, text));
  const { value: model, diagnostics } = loadServiceModel("spec", () => texts);
  expect(diagnostics).toEqual([]);
  if (model === undefined) throw new Error("no model");
  expect([...sharedNames(model), ...standardClashes(model, wireOf(model))]).toEqual([]);
  expect(model.methods.map(({ name, names }) => [name, names.value]).toSorted()).toEqual([
    ["get-item", "getItem3"],
    ["getItem", "getItem2"],
    ["get_item", "getItem"],
    ["put_item", "putItem"],
  ]);
  const types = new Map(model.types.map(({ name, names }) => [name, names.type]));
  expect([types.get("item"), types.get("GetItemPayload")]).toEqual(["Item", "GetItemPayload2"]);
});
