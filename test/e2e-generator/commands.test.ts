import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "vitest";
import { parse } from "yaml";
import { z } from "zod";
import { createProject, repository, type Project } from "./project.ts";

/**
 * Each folder of `test/cases/generate` but `base` is a case: `steps.yaml` says what happens in a copy of `base`, and
 * `expected.txt` what comes of it. `UPDATE_EXPECTED=1` writes the latter anew; read the difference before committing it.
 */
const cases = join(repository, "test/cases/generate");
const names = readdirSync(cases).filter((name) => name !== "base");

const Step = z.union([
  z.strictObject({ run: z.string() }),
  z.strictObject({ write: z.string(), text: z.string() }),
  z.strictObject({ replace: z.string(), find: z.string(), by: z.string() }),
  z.strictObject({ remove: z.string() }),
  z.strictObject({ show: z.string() }),
]);
type Step = z.infer<typeof Step>;

const targets = "targets: [errors, handlers, revisions, types]\n";

describe.concurrent("the command", () => {
  test.for(names)("%s", async (name, { expect }) => {
    const folder = join(cases, name);
    const steps = z.array(Step).parse(parse(readFileSync(join(folder, "steps.yaml"), "utf8")));
    const project = createProject(join(cases, "base"));
    // The cases are not about the output of other emitters, which takes most of the time.
    project.write("ledger-rpc.yaml", `${project.read("ledger-rpc.yaml")}${targets}`);
    try {
      const transcript: string[] = [];
      for (const step of steps) transcript.push(await carriedOut(step, project));
      const actual = `${transcript.filter((part) => part !== "").join("\n\n")}\n`;
      const expected = join(folder, "expected.txt");
      if (process.env["UPDATE_EXPECTED"] === "1") writeFileSync(expected, actual);
      expect(actual).toBe(readFileSync(expected, "utf8"));
    } finally {
      project.dispose();
    }
  });
});

/** What a step adds to the transcript. */
async function carriedOut(step: Step, project: Project): Promise<string> {
  if ("run" in step) return await ran(step.run, project);
  if ("show" in step) return `$ cat ${step.show}\n${project.read(step.show).trimEnd()}`;
  if ("write" in step) project.write(step.write, step.text);
  else if ("remove" in step) project.remove(step.remove);
  else {
    const text = project.read(step.replace);
    if (!text.includes(step.find)) throw new Error(`${step.replace} does not contain ${step.find}`);
    project.write(step.replace, text.replaceAll(step.find, step.by));
  }
  return "";
}

async function ran(command: string, project: Project): Promise<string> {
  const before = project.state();
  const { exitCode, stdout, stderr } = await project.run(command.split(" ").filter((word) => word !== ""));
  const after = project.state();
  const touched = [
    ...[...before.keys()].filter((path) => !after.has(path)).map((path) => `- ${path}`),
    ...[...after]
      .filter(([path, state]) => before.get(path) !== state)
      .map(([path]) => `${before.has(path) ? "~" : "+"} ${path}`),
  ];
  return [
    `$ ledger-rpc ${command}`,
    ...[stdout, stderr]
      .map((text) => text.replaceAll(project.root, "<project>").trimEnd())
      .filter((text) => text !== ""),
    `exit ${exitCode}`,
    touched.length === 0 ? "disk: untouched" : `disk:\n${touched.map((line) => `  ${line}`).join("\n")}`,
  ]
    .map(withoutOtherDiffs)
    .flatMap((part) => part.split("\n"))
    .map(settled)
    .filter((line, at, lines) => line !== lines[at - 1] || line === "")
    .join("\n");
}

/** Without the differences of generated files that the cases are not about: emitters come and change. */
function withoutOtherDiffs(text: string): string {
  return text.replace(
    /^(changed: generated\/\w+\/(?!manifest|types\.ts)\S+ .*)\n(?:.+\n|\n(?=[ +-]))+/gm,
    "$1",
  );
}

/**
 * A line of the transcript without parts that say nothing about the command: the number and names of files from other
 * emitters.
 */
function settled(line: string): string {
  return line
    .replace(
      /^(wrote|deleted|missing:|stale:) generated\/(\w+)\/(?!manifest|types\.ts).*$/,
      "$1 generated/$2/…",
    )
    .replace(/^(  [-+~]) generated\/(\w+)\/(?!manifest|types\.ts|mine).*$/, "$1 generated/$2/…")
    .replace(/^(changed:) generated\/(\w+)\/(?!manifest|types\.ts).*$/, "$1 generated/$2/…")
    .replace(
      /\b[1-9]\d* (?=written|unchanged|deleted|files up to date|of \d+ files|missing|changed|stale)/g,
      "N ",
    )
    .replace(/ of \d+ files/, " of N files")
    .replace(/(manifest\.json) \(\+\d+ -\d+\)/, "$1")
    .replace(/"(unchanged|elapsedMs)": [1-9]\d*/, '"$1": N');
}
