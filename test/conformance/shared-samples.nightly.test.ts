import { expect, test } from "vitest";
import { countsOf } from "../../conformance/index.ts";
import { complaints, runSound } from "../faults/try-fault.ts";

const parts = ["CustomerService.UpdateLegalRepStatus/", "CustomerService.CreateLegalRepLogin/"];

test("without an operator, what one case requests of a shared sample fails no other case", async () => {
  const report = await runSound({ level: "document", seed: 1, operator: false }, (id) =>
    parts.some((part) => id.startsWith(part)),
  );
  expect(complaints(report)).toEqual([]);
  expect(countsOf(report.outcomes).passed).toBeGreaterThan(30);
});
