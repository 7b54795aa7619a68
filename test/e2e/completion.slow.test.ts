import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";

const root = join(import.meta.dirname, "../..");
const folder = mkdtempSync(join(tmpdir(), "ledger-complete-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** Asks a real bash, without start files or the package `bash-completion`, how it would complete the last word. */
function completed(...words: readonly string[]): readonly string[] {
  const program = `#!/bin/sh\nexec "${process.execPath}" "${join(root, "runtime/cli/main.ts")}" "$@"\n`;
  writeFileSync(join(folder, "ledger-server"), program, { mode: 0o755 });
  const script = `
    source <(ledger-server complete bash)
    compopt() { :; }
    COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)) COMP_LINE="$*" COMP_POINT=\${#COMP_LINE}
    __ledger_server_complete
    printf '%s\\n' "\${COMPREPLY[@]}"`;
  const env = { ...process.env, PATH: `${folder}:${process.env["PATH"]}` };
  const args = ["--noprofile", "--norc", "-c", script, "bash", ...words];
  const output = execFileSync("bash", args, { env, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
  return output
    .split("\n")
    .flatMap((line) => line.trim().split(/\s+/).slice(0, 1))
    .filter((word) => word !== "");
}

test("bash completes verbs and flags", () => {
  expect(completed("ledger-server", "deliveries", "res")).toEqual(["resend", "resend-range"]);
  expect(completed("ledger-server", "accounts", "set-status", "--stat")).toContain("--status");
});
