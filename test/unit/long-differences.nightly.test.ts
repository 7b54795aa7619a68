import { expect, test } from "vitest";
import { fileDiff } from "../../generator/cli/file-diff.ts";

test("the difference of two long texts that share nothing is counted, not shown", () => {
  const text = (word: string) => Array.from({ length: 9000 }, (_, at) => `${word}${at}`).join("\n");
  const diff = fileDiff({ kind: "update", path: "a", before: text("a"), text: text("b") });
  expect(diff).toMatchObject({ added: 9000, removed: 9000, lines: [] });
});
