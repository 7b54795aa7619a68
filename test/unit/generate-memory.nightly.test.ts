import { join } from "node:path";
import { expect, test } from "vitest";
import { project } from "../../bench/generate/project.ts";
import { runNode } from "../../bench/harness/command.ts";

const program = join(import.meta.dirname, "../../generator/cli/main.ts");

test("A cold run over ten times the ledger spec takes less than 350 MB, from its sources", () => {
  const { peakMb } = runNode(program, ["generate"], project(10));
  expect(peakMb).toBeLessThan(350);
});
