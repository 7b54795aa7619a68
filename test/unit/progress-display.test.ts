import { expect, test } from "vitest";
import { progressDisplay } from "../../runtime/operations/cli/progress.ts";

/** The output during 30 s, with a tick each 50 ms and one record of 600 a tick. */
function written(isTTY: boolean): readonly string[] {
  const texts: string[] = [];
  let nowMs = 0;
  const display = progressDisplay({ isTTY, write: (text) => texts.push(text) }, () => nowMs);
  display.show({ part: "pages and indexes", done: 0 });
  for (let done = 0; done <= 600; done += 1) {
    nowMs += 50;
    display.show({ part: "accounts, postings, holds", done, total: 600 });
  }
  display.clear();
  return texts;
}

test("a terminal is shown a bar that moves, and that is gone in the end", () => {
  const texts = written(true);
  expect(texts[0]).toContain("pages and indexes");
  expect(texts).toContain(
    `\r\u001b[K[${"#".repeat(15)}${"-".repeat(15)}] accounts, postings, holds: 300 of 600`,
  );
  expect(texts.at(-1)).toBe("\r\u001b[K");
  expect(texts.length).toBeLessThan(310);
});

test("elsewhere there is a line every ten seconds, and none for what takes less", () => {
  const lines = written(false);
  expect(lines).toHaveLength(3);
  expect(lines[0]).toBe("verify: accounts, postings, holds: 199 of 600\n");
  const quick: string[] = [];
  const display = progressDisplay({ write: (text) => quick.push(text) }, () => 9_999);
  display.show({ part: "transactions", done: 5, total: 9 });
  display.clear();
  expect(quick).toEqual([]);
});
