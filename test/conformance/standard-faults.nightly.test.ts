import { expect, test } from "vitest";
import { missed, standardFaults } from "./standard/faults.ts";
import { failuresWith } from "./standard/try-fault.ts";

test("a right service behind the seams of the faults gets no blame", async () => {
  expect(await failuresWith({}, 100)).toEqual([]);
});

test.each(standardFaults)("$id: $description", async (fault) => {
  const failures = await failuresWith(fault);
  if (missed.includes(fault.id)) expect(failures).toEqual([]);
  else expect(failures).not.toEqual([]);
});
