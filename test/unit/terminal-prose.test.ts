import { expect, test } from "vitest";
import { wrapped } from "../../runtime/operations/log/terminal-text.ts";

test("prose breaks between words at the width, with its indent", () => {
  const text = "on serves the partner's interface on the port of the documented interface";
  const lines = wrapped(text, 30, "    ").split("\n");
  expect(lines).toEqual([
    "    on serves the partner's",
    "    interface on the port of",
    "    the documented interface",
  ]);
  expect(wrapped(text, undefined, "  ")).toBe(`  ${text}`);
  expect(wrapped("https://a-long-word.example/ x", 10)).toBe("https://a-long-word.example/\nx");
});
