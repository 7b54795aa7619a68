import { expect, test } from "vitest";
import { inDocumentOrder, planOf } from "../../runtime/protocol/signed-envelope/payload.ts";

const plan = planOf({
  fields: [
    { name: "zone" },
    { name: "rows", shape: () => ({ fields: [{ name: "b" }, { name: "a" }] }) },
    { name: "area" },
  ],
});

test("faults come in the order of the document: fields as declared, items by number, a parent before its parts", () => {
  const pointers = ["/unknown", "/area", "/rows/10/b", "/rows/2/a", "/rows/2/b", "/rows/2", "/rows", "/zone"];
  const ordered = (found: readonly string[]) =>
    inDocumentOrder(
      found.map((pointer) => ({ pointer, reason: "type" })),
      plan,
    ).map(({ pointer }) => pointer);
  expect(ordered(pointers.toReversed())).toEqual(ordered(pointers));
  expect(ordered(pointers)).toEqual([
    "/zone",
    "/rows",
    "/rows/2",
    "/rows/2/b",
    "/rows/2/a",
    "/rows/10/b",
    "/area",
    "/unknown",
  ]);
});

test("the first fault of a field is the one that is told", () => {
  const faults = ["null", "type"].map((reason) => ({ pointer: "/zone", reason }));
  expect(inDocumentOrder(faults, plan)).toEqual([{ pointer: "/zone", reason: "null" }]);
});
