import { writeFileSync } from "node:fs";
import { join, posix } from "node:path";
import { expect, test } from "vitest";
import type { ServiceModel } from "../../generator/model/index.ts";
import { hostiles, neighbours } from "./preservation/hostile-handlers.ts";
import { partsOfPlain } from "./preservation/kept-text.ts";
import { editableSpec, specEdits, type EditableSpec } from "./preservation/spec-edits.ts";
import { createWorkspace, layout, modelOf, type Workspace } from "./preservation/workspace.ts";
import { repository } from "./project.ts";
import { fc, isSoak, runs } from "../seed.ts";

/**
 * What people wrote into the handlers folder survives any legal edits of the spec, in any order, byte for byte.
 * `TEST_EFFORT=30 npm run unit -- test/e2e-generator/preservation.nightly.test.ts` tries more.
 */
const numRuns = runs(1);
const editsEach = isSoak ? 25 : 12;
const ledger = editableSpec(repository, "spec/ledger");

interface Step {
  readonly what: number;
  readonly numbers: readonly number[];
}
const steps = fc.array(
  fc.record({ what: fc.nat(9_999), numbers: fc.array(fc.nat(9_999), { minLength: 4, maxLength: 4 }) }),
  { minLength: editsEach, maxLength: editsEach, size: "max" },
);

test("the handlers of this repository survive", async () => {
  await survives((workspace, model) => {
    const docs = new Set(workspace.stubs(model).map(({ text }) => docOf(text)));
    for (const path of workspace.handlerFiles())
      workspace.write(path, partsOfPlain(workspace.read(path), docs));
  });
});

test("files that break generators survive", async () => {
  await survives((workspace, model) => {
    const stubs = workspace.stubs(model).filter(({ method }) => method !== undefined);
    for (const [at, { path, text }] of stubs.entries()) {
      const hostile = hostiles[at % hostiles.length];
      const subject = subjectOf(path, text, `keep-${at}`);
      if (hostile !== undefined) workspace.write(path, hostile.parts(subject), hostile.written);
    }
    const [first] = stubs;
    if (first === undefined) throw new Error("there are no stubs");
    const { value, type } = subjectOf(first.path, first.text, "");
    const shared = `${layout.handlers}/shared/neighbour.ts`;
    const from = { module: specifier(shared, first.path), value, type };
    const all = neighbours({ ...from, handlersModule: specifier(shared, `${layout.out}/handlers.ts`) });
    for (const { file, parts } of all) workspace.write(`${layout.handlers}/${file}`, parts);
  });
});

test.for([
  ["a lost space", (text: string) => text.replace("  const", " const")],
  ["another line end", (text: string) => text.replace("\r\n", "\n")],
  ["a lost byte order mark", (text: string) => text.slice(1)],
  ["a lost end", (text: string) => text.trimEnd()],
  ["a doubled line", (text: string) => text.replace(/^.*\bawait .*$/m, "$&\n$&")],
] as const)("what this looks for it would find: %s", async ([, spoiled]) => {
  const workspace = createWorkspace();
  try {
    const model = modelOf(ledger);
    if (model === undefined) throw new Error("the spec is broken");
    const path = `${layout.handlers}/account-service/get-account.ts`;
    workspace.write(path, partsOfPlain(workspace.read(path), new Set()), "crlf-bom");
    await workspace.generate(model);
    writeFileSync(join(workspace.root, path), spoiled(workspace.read(path)));
    await expect(workspace.generate(model)).rejects.toThrow("is not there any more");
  } finally {
    workspace.dispose();
  }
});

async function survives(prepare: (workspace: Workspace, model: ServiceModel) => void): Promise<void> {
  let edits = 0;
  await fc.assert(
    fc.asyncProperty(steps, async (sequence) => {
      const workspace = createWorkspace();
      try {
        let spec = ledger;
        let model = modelOf(spec);
        if (model === undefined) throw new Error("the spec is broken");
        prepare(workspace, model);
        await workspace.generate(model);
        for (const step of sequence) {
          const edited = edit(spec, step);
          if (edited !== undefined) {
            ({ spec, model } = edited);
            edits += 1;
          }
          await author(workspace, model, step);
        }
      } finally {
        workspace.dispose();
      }
    }),
    { numRuns, endOnFailure: true },
  );
  expect(edits).toBeGreaterThan((numRuns * editsEach) / 3);
}

/** The spec after an edit; undefined if the edit is empty or illegal. */
function edit(spec: EditableSpec, { what, numbers }: Step) {
  const chosen = specEdits[what % specEdits.length];
  const edited = structuredClone(spec);
  edited.count += 1;
  let at = 0;
  chosen?.apply(edited, (items) => items[(numbers[at++ % numbers.length] ?? 0) % Math.max(items.length, 1)]);
  const model = modelOf(edited);
  return model === undefined ? undefined : { spec: edited, model };
}

/** The step after an edit: usually a run, sometimes one that is killed, prunes, or follows a loss. */
async function author(workspace: Workspace, model: ServiceModel, { numbers }: Step): Promise<void> {
  const [, , a = 0, b = 0] = numbers;
  if (a % 9 === 0) await workspace.beginToGenerate(model, b % 12);
  if (a % 23 === 0) workspace.loseManifest();
  await workspace.generate(model, { prune: a % 7 === 0 });
  if (a % 3 === 0) writeBody(workspace, b);
}

/** Fills a stub in. */
function writeBody(workspace: Workspace, number: number): void {
  const stubs = workspace
    .handlerFiles()
    .filter((path) => path.endsWith(".ts") && !path.includes("/_orphaned/"))
    .filter((path) => /^\s{2}throw unimplemented\("[^\n]*\n\};\n$/m.test(workspace.read(path)));
  const path = stubs[number % Math.max(stubs.length, 1)];
  if (path === undefined) return;
  const text = workspace.read(path).replace(/throw unimplemented\(.*\);/, `return \`${number}}\`;\t// mine`);
  workspace.write(path, partsOfPlain(text, new Set([docOf(text)])), number % 2 === 0 ? "crlf" : undefined);
}

function subjectOf(path: string, stub: string, mark: string) {
  const [, value = "", type = ""] = /^export const (\w+): (\w+)Handler</m.exec(stub) ?? [];
  return {
    value,
    type,
    doc: docOf(stub),
    handlersModule: specifier(path, `${layout.out}/handlers.ts`),
    typesModule: specifier(path, `${layout.out}/types.ts`),
    contextsModule: specifier(path, `${layout.handlers}/contexts.ts`),
    mark,
  };
}

function docOf(stub: string): string {
  return /\/\*\*(?:(?!\*\/)[^])*\*\/(?=\nexport const)/.exec(stub)?.[0] ?? "";
}

function specifier(from: string, to: string): string {
  const path = posix.relative(posix.dirname(from), to);
  return path.startsWith(".") ? path : `./${path}`;
}
