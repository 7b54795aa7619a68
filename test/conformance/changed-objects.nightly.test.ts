import { expect, test } from "vitest";
import { allOutcomes } from "../../conformance/index.ts";
import { runSound } from "../faults/try-fault.ts";

test("a sequence begins with no account whose category a case has changed", async () => {
  const report = await runSound(
    { level: "decisions", seed: 1, operator: false },
    (id) => id.startsWith("AccountService.UpdateAccountCategory/") || id === "scenario/changes-are-dated",
  );
  const failed = allOutcomes(report).filter(({ status }) => status === "failed" || status === "broken");
  expect(failed.map(({ id, findings }) => [id, findings[0]?.found])).toEqual([]);
  expect(allOutcomes(report).find(({ id }) => id === "scenario/changes-are-dated")).toMatchObject({
    status: "passed",
  });
});
