import { expect, test } from "vitest";
import { changelogText, diffModels } from "../../generator/diff/index.ts";
import { revisionsOf } from "./diff-cases.ts";

/** What users of the client read of the change of a case. */
function changelogOf(name: string): string {
  return changelogText(diffModels(...revisionsOf(name)));
}

test("the changelog of a client has every deprecation, also one that raises the last number alone", () => {
  expect(changelogOf("deprecated-added")).toMatch(
    /^### Deprecated\n\n- .+ is deprecated: .+ Callers should move on: /,
  );
  expect(changelogOf("deprecated-changed")).toMatch(/^### Deprecated\n\n- .+ Callers should move on: /);
  expect(changelogOf("deprecated-removed")).toMatch(
    /^### Deprecated\n\n- .+ is no longer deprecated\. Callers may stay\./,
  );
});

test("the changelog of a client leaves out what its users would not notice", () => {
  expect(changelogOf("doc-changed")).toBe("Nothing that callers or receivers would notice.");
});
