import { execFileSync } from "node:child_process";
import { closeSync, constants, mkdtempSync, openSync, readSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { logOutput } from "../../runtime/operations/log/log-output.ts";
import { timersByHand } from "../timers-by-hand.ts";

let folder = "";
let pipe = "";

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "log-output-"));
  pipe = join(folder, "pipe");
  execFileSync("mkfifo", [pipe]);
});
// Descriptors that were written to stay open: a write may be on its way, and a database would get the number next.
afterEach(() => rmSync(folder, { recursive: true }));

const nonBlocking = constants.O_NONBLOCK;
const lineOf = (number: number): string => `${JSON.stringify({ number, text: "x".repeat(1000) })}\n`;

/** As much as a pipe holds. */
const bytes = Buffer.alloc(64 * 1024);

/** What a pipe holds now. */
function heldBy(fd: number): string {
  try {
    return bytes.subarray(0, readSync(fd, bytes)).toString();
  } catch {
    return "";
  }
}

test("a reader that stops stops nobody: lines wait, then are dropped and counted, in their order", async () => {
  const fd = openSync(pipe, constants.O_RDWR | nonBlocking);
  const output = logOutput(fd);
  const total = 8_000;
  for (let number = 0; number < total; number += 1) output.write(lineOf(number));
  let text = "";
  for (let last = ""; !/"dropped":\d+.*\n/.test(last);) {
    await new Promise(setImmediate);
    const read = heldBy(fd);
    last = last.slice(-100) + read;
    text += read;
  }
  output.write(lineOf(total));
  output.end();
  text += heldBy(fd);
  const lines: readonly { number?: number; dropped?: number }[] = text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
  const [said] = lines.filter(({ dropped }) => dropped !== undefined);
  const kept = lines.flatMap(({ number }) => number ?? []);
  expect(kept).toEqual([...Array(kept.length - 1).keys(), total]);
  expect(kept.length - 1 + (said?.dropped ?? 0)).toBe(total);
});

test("the end waits neither for a reader that is gone, nor without a bound for one that has stopped", () => {
  const reader = openSync(pipe, constants.O_RDONLY | nonBlocking);
  const writer = openSync(pipe, constants.O_WRONLY | nonBlocking);
  const stopped = logOutput(writer, 0);
  for (let number = 0; number < 200; number += 1) stopped.write(lineOf(number));
  stopped.end();
  closeSync(reader);
  const gone = logOutput(writer);
  gone.write(lineOf(0));
  gone.end();
});

test("nothing is written after the end: the descriptor may be another file's", () => {
  timersByHand();
  const reader = openSync(pipe, constants.O_RDONLY | nonBlocking);
  const output = logOutput(openSync(pipe, constants.O_WRONLY | nonBlocking), 0);
  for (let number = 0; number < 200; number += 1) output.write(lineOf(number));
  output.end();
  expect(vi.getTimerCount()).toBe(0);
  closeSync(reader);
});
