import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, it } from "vitest";
import { emitter } from "../../generator/targets/json-schema/index.ts";
import { libraryLayout, libraryModel } from "./emit-library-model.ts";

const [draft] = emitter.emit(libraryModel(), libraryLayout);
const text = draft?.text ?? "";

describe("The JSON Schema document", () => {
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  const document: { $id: string; $defs: object } = JSON.parse(text);
  ajv.addSchema(document);

  it("is valid JSON Schema 2020-12, and so is each of its definitions", () => {
    expect(ajv.validateSchema(document), ajv.errorsText()).toBe(true);
    for (const name of Object.keys(document.$defs)) expect(definition(name), name).toBeTypeOf("function");
  });

  it("asks of answers both spellings, and of requests the canonical one", () => {
    const chapters = [{ name: "One", parts: [{ name: "One and a half" }] }];
    const place = { shelf: "A", room: { floor: "2" } };
    const book = { id: "1", price: 2.5, binding: "SOFT", loanedTo: "you", place, chapters };
    expect(definition("BookRequest")?.(book)).toBe(true);
    expect(definition("FindBookResult")?.({ oath: "", books: [book] })).toBe(false);
    expect(definition("FindBookResult")?.({ oath: "", books: [{ ...book, LoanedTo: "you" }] })).toBe(true);
  });

  it("knows the presence rules of a payload", () => {
    expect(definition("FindBookPayload")?.({ id: "1" })).toBe(true);
    expect(definition("FindBookPayload")?.({ genres: ["NOVEL"] })).toBe(false);
  });

  function definition(name: string) {
    return ajv.getSchema(`${document.$id}#/$defs/${name}`);
  }
});
