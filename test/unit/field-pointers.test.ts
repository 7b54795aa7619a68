import { expect, test } from "vitest";
import type { LedgerHandlers } from "../../generated/ledger/handlers.ts";
import type { FieldModel, Shape } from "../../generator/model/index.ts";
import { fieldPointers } from "../../generator/print/field-pointers.ts";
import type { Contexts } from "../../runtime/contract/index.ts";
import type { SignedCall } from "../../ledger/seed/signed-calls.ts";
import { field, libraryModel, object } from "./emit-library-model.ts";

const text: Shape = { kind: "string" };

test("a pointer leads to each field of a payload, and to each item of a list", () => {
  const items = object([field("side", text)]);
  expect(pointersOf([field("name", text), field("rows", { kind: "array", items, unique: false })])).toEqual([
    '"/name"',
    '"/rows"',
    "`/rows/${number}`",
    "`/rows/${number}/side`",
  ]);
});

test("names are escaped as JSON Pointers and as TypeScript", () => {
  expect(pointersOf([field("a/b~c", text), field('"', text)])).toEqual(['"/a~1b~0c"', "'/\"'"]);
  const items = object([field('`${x}\\"', text)]);
  expect(pointersOf([field("r", { kind: "array", items, unique: false })])).toContain(
    '`/r/${number}/\\`\\${x}\\\\"`',
  );
});

test("below a type that lies in itself, every pointer is legal", () => {
  expect(pointersOf([field("chapters", { kind: "ref", type: "Chapters" })])).toEqual([
    '"/chapters"',
    "`/chapters/${number}`",
    "`/chapters/${number}/name`",
    "`/chapters/${number}/parts`",
    "`/chapters/${number}/parts/${string}`",
  ]);
});

test("a payload of many fields has a pointer each on its first level, and any below", () => {
  const wide = object(Array.from({ length: 150 }, (_, at) => field(`f${at}`, text)));
  const pointers = pointersOf([field("a", wide), field("b", wide)]);
  expect(pointers).toEqual(['"/a"', '"/b"', "`/a/${string}`", "`/b/${string}`"]);
});

test("demo data names methods, payload fields and result members that the compiler knows", () => {
  const calls = async (call: SignedCall<LedgerHandlers<Contexts>>): Promise<void> => {
    const result = await call("AccountService.GetAccount", { ID: "a" });
    result("account");
    // @ts-expect-error no member of the result
    result("acount");
    // @ts-expect-error no field of the payload
    await call("AccountService.GetAccount", { id: "a" });
    // @ts-expect-error no method
    await call("AccountService.GetAcount", { ID: "a" });
  };
  expect(calls).toBeTypeOf("function");
});

function pointersOf(fields: readonly FieldModel[]): readonly string[] {
  return fieldPointers({ kind: "single", shape: object(fields) }, libraryModel());
}
