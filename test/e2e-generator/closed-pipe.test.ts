import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { expect, test } from "vitest";

const repository = join(import.meta.dirname, "../..");

test("a reader that closes the pipe, as `head` does, ends no command", async () => {
  const child = spawn(process.execPath, ["generator/cli/main.ts", "explain", "--json"], { cwd: repository });
  // Closed before the command prints: each write fails with EPIPE.
  child.stdout.destroy();
  let errors = "";
  child.stderr.on("data", (chunk: Buffer) => {
    errors += chunk.toString();
  });
  const [code] = await once(child, "close");
  expect({ code, errors }).toEqual({ code: 0, errors: "" });
});
