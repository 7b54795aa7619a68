import { execFile } from "node:child_process";
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { loadEmitters } from "../../generator/targets/index.ts";
import { apply, projectFolder } from "../../generator/output/index.ts";
import { plan } from "../../generator/output/plan.ts";
import { createRender } from "../../generator/output/render.ts";
import { editableSpec } from "./preservation/spec-edits.ts";
import { modelOf } from "./preservation/workspace.ts";
import { isSoak } from "../seed.ts";
import { repository } from "./project.ts";
import { breakingEdits, sectionsOf } from "./typecheck-points/breaking-edits.ts";

/**
 * After an edit that breaks somebody, the compiler points at exactly the hand-written files that have to change, and
 * at nothing that is generated. All edits are compiled at once. Each has a folder with its generated code and its
 * copy of the handlers; the rest of the runtime is shared. `UPDATE_EXPECTED=1` writes the lines anew; A soak
 * (`TEST_EFFORT=2`) compiles what every emitter gives, not only what handlers are compiled with.
 */
const seenByHandlers: ReadonlySet<string> = new Set(["errors", "handlers", "shapes", "types"]);
const expectedFile = join(repository, "test/cases/typecheck-points/expected.txt");
const root = mkdtempSync(join(tmpdir(), "typecheck-points-"));
const projects = ["nothing is edited", ...breakingEdits.map(({ name }) => name)];
let errors: ReadonlyMap<string, readonly CompileError[]>;

interface CompileError {
  /** Below the project. */
  readonly path: string;
  readonly line: string;
  readonly code: string;
}

beforeAll(async () => {
  symlinkSync(join(repository, "node_modules"), join(root, "node_modules"));
  writeFileSync(join(root, "package.json"), '{ "type": "module" }\n');
  const isAll = isSoak;
  const emitters = (await loadEmitters()).filter(({ name }) => isAll || seenByHandlers.has(name));
  const render = createRender();
  for (const folder of ["ledger", "runtime", "generated"])
    symlinkSync(join(repository, folder), join(root, folder));
  const folder = projectFolder(root);
  for (const [at, name] of projects.entries()) {
    const layout = layoutOf(at);
    copyHandlers(layout.handlers);
    const spec = editableSpec(repository, "spec/ledger");
    breakingEdits.find((each) => each.name === name)?.edit(sectionsOf(spec));
    const model = modelOf(spec);
    if (model === undefined) throw new Error(`"${name}" is not a legal edit`);
    const rendered = await render(emitters.flatMap((emitter) => emitter.emit(model, layout)));
    const { value } = await plan({ folder, layout, model, rendered, generatorVersion: "1" });
    if (value === undefined) throw new Error(`nothing is planned for "${name}"`);
    expect(apply(root, value).diagnostics).toEqual([]);
  }
  errors = await compileErrors();
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

test("there are enough edits", () => {
  expect(breakingEdits.length).toBeGreaterThanOrEqual(30);
});

test.for(projects)("%s", (name) => {
  const found = errors.get(name) ?? [];
  const files = [...new Set(found.map(({ path }) => path))];
  const mustChange = breakingEdits.find((each) => each.name === name)?.mustChange ?? [];
  expect(files).toEqual(mustChange.map((path) => `ledger/handlers/${path}`).toSorted());
});

test("the lines are the ones that have to change", () => {
  const actual = `${projects.map(linesOf).join("\n\n")}\n`;
  if (process.env["UPDATE_EXPECTED"] === "1") writeFileSync(expectedFile, actual);
  expect(actual).toBe(readFileSync(expectedFile, "utf8"));
});

function linesOf(name: string): string {
  const lines = (errors.get(name) ?? []).map(({ path, line, code }) => `  ${path}\n    ${code}: ${line}`);
  return [`${name}:`, ...(lines.length === 0 ? ["  nothing has to change"] : [...new Set(lines)])].join("\n");
}

function layoutOf(at: number) {
  const folder = `edit-${at}`;
  return {
    out: `${folder}/generated/ledger`,
    handlers: `${folder}/ledger/handlers/ledger`,
    contract: "runtime/contract/index.ts",
  };
}

const copiedFolders = ["ledger", "presenters", "services"];

/** Copies the handlers and what they share; imports of everything else go to the one runtime there is. */
function copyHandlers(handlers: string): void {
  const copied = join(root, dirname(handlers));
  for (const name of copiedFolders)
    cpSync(join(repository, "ledger/handlers", name), join(copied, name), { recursive: true });
  rmSync(join(root, handlers, "index.ts"));
  for (const entry of readdirSync(copied, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    const original = join("ledger/handlers", relative(copied, entry.parentPath));
    const text = readFileSync(path, "utf8").replaceAll(/(?<=from ")\.[^"]*/g, (specifier) => {
      const target = join(original, specifier);
      const isOwn =
        target.startsWith("generated/ledger/") ||
        copiedFolders.some((name) => target.startsWith(`ledger/handlers/${name}/`));
      return isOwn ? specifier : relative(entry.parentPath, join(root, target));
    });
    writeFileSync(path, text);
  }
}

async function compileErrors(): Promise<ReadonlyMap<string, readonly CompileError[]>> {
  const config = {
    extends: join(repository, "tsconfig.json"),
    include: ["edit-*/generated/ledger", "edit-*/ledger/handlers", "runtime/contract"],
    exclude: [],
  };
  writeFileSync(join(root, "tsconfig.json"), JSON.stringify(config));
  const tsc = join(repository, "node_modules/typescript/bin/tsc");
  const output = await promisify(execFile)(process.execPath, [tsc, "-p", root, "--pretty", "false"], {
    cwd: root,
    maxBuffer: 2 ** 26,
  }).then(
    () => "",
    (error: unknown) => (error instanceof Error && "stdout" in error ? String(error.stdout) : String(error)),
  );
  const found = new Map<string, CompileError[]>();
  for (const text of output.split("\n")) {
    if (text === "" || text.startsWith(" ")) continue;
    const [, folder = "", path = "", line = "", code = ""] =
      /^edit-(\d+)\/(.+?)\((\d+),\d+\): error (TS\d+):/.exec(text) ?? [];
    const name = projects[Number(folder)];
    if (path === "" || name === undefined) throw new Error(`the compiler says something else: ${text}`);
    const source =
      readFileSync(join(root, `edit-${folder}`, path), "utf8").split("\n")[Number(line) - 1] ?? "";
    const ofProject = found.get(name) ?? [];
    ofProject.push({ path, line: source.trim(), code });
    found.set(name, ofProject);
  }
  for (const each of found.values()) each.sort((a, b) => (a.path < b.path ? -1 : Number(a.path > b.path)));
  return found;
}
