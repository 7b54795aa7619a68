import { join } from "node:path";
import pc from "picocolors";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { generate } from "../../generator/cli/commands/generate.ts";
import { loadConfig } from "../../generator/cli/config.ts";
import { fileDiff } from "../../generator/cli/file-diff.ts";
import { table } from "../../generator/cli/table.ts";
import type { Terminal } from "../../generator/cli/terminal.ts";
import { createProject, repository, type Project } from "../e2e-generator/project.ts";

const plain = pc.createColors(false);
const escape = "\u001b[";

let project: Project;
beforeEach(() => {
  project = createProject(join(repository, "test/cases/generate/base"));
});
afterEach(() => project.dispose());

function watchedTerminal(): Terminal & { readonly lines: string[]; readonly stages: string[] } {
  const lines: string[] = [];
  const stages: string[] = [];
  return {
    lines,
    stages,
    cwd: project.root,
    env: {},
    isTty: true,
    isLive: true,
    color: plain,
    print: (text) => lines.push(text),
    note: (text) => lines.push(text),
    progress: (text) => stages.push(text),
  };
}

test("on a terminal a run shows its progress and ends with a table", async () => {
  const { value: config } = loadConfig(join(project.root, "ledger-rpc.yaml"));
  if (config === undefined) throw new Error("the base case has no config");
  const terminal = watchedTerminal();
  expect(
    await generate({ kind: "selected", config, targets: config.specs }, terminal, {
      asJson: false,
      prune: false,
    }),
  ).toBe(0);
  expect(terminal.stages).toEqual([
    "notes: reading …",
    "notes: printing …",
    "notes: comparing …",
    "notes: writing …",
    "",
  ]);
  expect(terminal.lines).toHaveLength(1);
  expect(terminal.lines[0]).toMatch(
    /^interface  files  written  unchanged  deleted +ms\nnotes {6} +(\d+) +\1 +0 +0 +\d+$/,
  );
});

test("a table aligns its first column left and the others right", () => {
  const rows = [
    ["a", "1", "200"],
    ["longer than the heading", "30", "4"],
  ];
  expect(table(["name", "x", "count"], rows, plain).split("\n")).toEqual([
    "name                      x  count",
    "a                         1    200",
    "longer than the heading  30      4",
  ]);
});

describe("color", () => {
  const drifted = async (args: readonly string[], environment: Readonly<Record<string, string>>) => {
    const { stdout } = await project.run(["check", ...args], environment);
    return stdout.includes(escape);
  };

  test("is what the command line says, before the environment", async () => {
    expect(await drifted(["--color"], { NO_COLOR: "1" })).toBe(true);
    expect(await drifted(["--no-color"], { NO_COLOR: "", FORCE_COLOR: "1" })).toBe(false);
  });

  test("follows NO_COLOR and FORCE_COLOR, and is off where nobody watches", async () => {
    expect(await drifted([], { NO_COLOR: "1" })).toBe(false);
    expect(await drifted([], { NO_COLOR: "", FORCE_COLOR: "1" })).toBe(true);
    expect(await drifted([], { NO_COLOR: "" })).toBe(false);
  });
});

describe("a difference", () => {
  test("counts the lines that would come and go", () => {
    const diff = fileDiff({ kind: "update", path: "a", before: "a\nb\nc\n", text: "a\nB\nc\nd\n" });
    expect(diff).toMatchObject({ change: "changed", added: 2, removed: 1 });
    expect(diff?.lines).toEqual(["@@ -1,3 +1,4 @@", " a", "-b", "+B", " c", "+d"]);
  });

  test("is nothing for a file that stays", () => {
    expect(fileDiff({ kind: "keep", path: "a" })).toBeUndefined();
  });
});
