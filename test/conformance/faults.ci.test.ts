import { expect, test } from "vitest";
import { layers } from "../faults/fault.ts";
import { faults } from "../faults/faults/index.ts";
import { missedOf } from "./sampled-faults.ts";

const sampled = [
  "no-revision",
  "trailing-bytes",
  "signature-skipped",
  "scopes-ignored",
  "required-ignored",
  "amounts-as-text",
  "status-not-kept",
  "and-binds-tighter",
  "newest-first",
  "status-event-missing",
  "portal-mail-to-customer",
];

test("a fault of each layer is caught again, by a case that holds without it", async () => {
  const found = new Set(faults.filter(({ id }) => sampled.includes(id)).map(({ layer }) => layer));
  expect(found).toEqual(new Set(layers));
  expect(await missedOf(sampled)).toEqual([]);
});
