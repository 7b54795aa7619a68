import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";

const root = join(import.meta.dirname, "../..");
const folder = mkdtempSync(join(tmpdir(), "ledger-complete-"));
afterAll(() => rmSync(folder, { recursive: true }));

const program = `#!/bin/sh\nexec "${process.execPath}" "${join(root, "ledger/cli/main.ts")}" "$@"\n`;
writeFileSync(join(folder, "ledger-server"), program, { mode: 0o755 });

/** A shell, how to start it without start files, and a script that prints how it would complete the last word. */
interface Shell {
  readonly name: string;
  readonly args: readonly string[];
  readonly script: string;
}

const shells: readonly Shell[] = [
  {
    // Without the package `bash-completion`.
    name: "bash",
    args: ["--noprofile", "--norc", "-c"],
    script: `
      source <(ledger-server complete bash)
      compopt() { :; }
      COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)) COMP_LINE="$*" COMP_POINT=\${#COMP_LINE}
      __ledger_server_complete
      printf '%s\\n' "\${COMPREPLY[@]}"`,
  },
  {
    // The functions of zsh's completion system answer in its line editor alone: these print what they are given.
    name: "zsh",
    args: ["-f", "-c"],
    script: `
      compdef() { : }
      _arguments() { : }
      _describe() { print -rl -- "\${(@P)2}" }
      source <(ledger-server complete zsh)
      words=("$@") CURRENT=$#
      _ledger-server`,
  },
  {
    name: "fish",
    args: ["--no-config", "-c"],
    script: `
      ledger-server complete fish | source
      complete -C "$argv[2..]"`,
  },
];

function completed({ name, args, script }: Shell, ...words: readonly string[]): readonly string[] {
  const env = { ...process.env, PATH: `${folder}:${process.env["PATH"]}` };
  const output = execFileSync(name, [...args, script, name, ...words], {
    env,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "pipe"],
  });
  // A word is followed by what describes it: after a tab in fish, a colon in zsh, spaces in bash.
  return output
    .split("\n")
    .map((line) => /^[\w-]+/.exec(line.trim())?.[0] ?? "")
    .filter((word) => word !== "");
}

describe.each(shells)("$name", (shell) => {
  const isMissing = spawnSync(shell.name, ["--version"]).error !== undefined;

  test("completes verbs and flags", (context) => {
    context.skip(isMissing, `this machine has no ${shell.name}`);
    expect(completed(shell, "ledger-server", "deliveries", "res")).toEqual(["resend", "resend-range"]);
    expect(completed(shell, "ledger-server", "accounts", "set-status", "--stat")).toContain("--status");
  });
});
