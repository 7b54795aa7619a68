import { expect, test } from "vitest";
import { sameNames } from "../../runtime/contract/index.ts";

interface Stored {
  readonly city?: string;
  readonly zip?: string;
}

interface Renamed {
  readonly city?: string;
  readonly postalCode?: string;
}

test("a value whose optional member has another name where it goes does not compile", () => {
  const stored: Stored = { city: "Boston", zip: "02110" };
  // @ts-expect-error -- `zip` is a stranger to where it goes; the line below compiles
  const shown = sameNames<Stored, Renamed>(stored);
  const plain: Renamed = stored;
  expect([shown, plain]).toEqual([stored, stored]);
  expect(sameNames<Pick<Stored, "city">, Renamed>({ city: "Boston" })).toEqual({ city: "Boston" });
});
