import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative, sep } from "node:path";
import { loadEmitters, type FileDraft } from "../../../generator/targets/index.ts";
import { loadServiceModel, type ServiceModel } from "../../../generator/model/index.ts";
import {
  apply,
  isSettled,
  projectFolder,
  type PlannedFile,
  type WritePlan,
} from "../../../generator/output/index.ts";
import { plan } from "../../../generator/output/plan.ts";
import { createRender } from "../../../generator/output/render.ts";
import { repository } from "../project.ts";
import { patternOf, textOf, type Part } from "./kept-text.ts";
import { sourcesOf, type EditableSpec } from "./spec-edits.ts";

export const layout = {
  out: "generated/ledger",
  handlers: "ledger/handlers/ledger",
  contract: "runtime/contract/index.ts",
};

const emitters = (await loadEmitters()).filter(({ name }) => name === "handlers" || name === "types");
const render = createRender();

/** A temporary project whose handlers belong to somebody. */
export interface Workspace {
  readonly root: string;
  /** Generates; throws where anything that was written by hand has changed, or where a second run writes something. */
  generate(model: ServiceModel, options?: { readonly prune?: boolean }): Promise<readonly string[]>;
  /** Begins to generate and is killed after so many files, perhaps in the middle of moving one. */
  beginToGenerate(model: ServiceModel, fileCount: number): Promise<void>;
  /** The author writes a file; from then on it is to survive. */
  write(path: string, parts: readonly Part[], style?: "crlf" | "bom" | "crlf-bom"): void;
  read(path: string): string;
  /** Files of the handlers folder, the ones that were set aside included. */
  handlerFiles(): readonly string[];
  /** The stubs of a model, as they would be created. */
  stubs(model: ServiceModel): readonly FileDraft[];
  loseManifest(): void;
  dispose(): void;
}

/** The model of a spec; undefined where it is not legal. */
export function modelOf(spec: EditableSpec): ServiceModel | undefined {
  return loadServiceModel("spec", () => sourcesOf(spec)).value;
}

export function createWorkspace(): Workspace {
  const root = mkdtempSync(join(tmpdir(), "preservation-"));
  const kept: { readonly path: string; readonly text: string; readonly pattern: RegExp }[] = [];
  cpSync(join(repository, layout.handlers), join(root, layout.handlers), { recursive: true });
  rmSync(join(root, layout.handlers, "index.ts"));

  const planned = async (model: ServiceModel, prune: boolean) => {
    const rendered = await render(emitters.flatMap((emitter) => emitter.emit(model, layout)));
    const folder = projectFolder(root);
    return await plan({ folder, layout, model, rendered, generatorVersion: "1", prune });
  };
  const mustPlan = async (model: ServiceModel, prune = false) => {
    const { value, diagnostics } = await planned(model, prune);
    if (value === undefined) throw new Error(diagnostics.map(({ message }) => message).join("\n"));
    return { value, codes: diagnostics.map(({ code, path }) => `${code} ${path}`) };
  };
  const handlerFiles = () => filesBelow(root, layout.handlers);
  const checkKept = () => {
    const texts = handlerFiles().map((path) => readFileSync(join(root, path), "utf8"));
    for (const { path, text: written, pattern } of kept)
      if (!texts.some((text) => pattern.test(text)))
        throw new Error(`what was written into ${path} is not there any more:\n${written}`);
  };

  return {
    root,
    handlerFiles,
    async generate(model, { prune = false } = {}) {
      const { value, codes } = await mustPlan(model, prune);
      const report = apply(root, value);
      if (report.diagnostics.length > 0)
        throw new Error(report.diagnostics.map(({ message, path }) => `${path}: ${message}`).join("\n"));
      checkKept();
      const { value: again } = await mustPlan(model, prune);
      if (!isSettled([...again.files, again.manifest]))
        throw new Error(`the second run would write ${changedPaths(again)} after ${codes.join(", ")}`);
      return codes;
    },
    async beginToGenerate(model, fileCount) {
      const { value } = await mustPlan(model);
      const files = value.files.filter(({ kind }) => kind !== "keep");
      const manifest: PlannedFile = { kind: "keep", path: value.manifest.path };
      apply(root, { ...value, files: files.slice(0, fileCount), manifest, handWritten: new Map() });
      const next = files[fileCount];
      if (next?.kind === "move") {
        mkdirSync(dirname(join(root, next.path)), { recursive: true });
        writeFileSync(join(root, next.path), next.text);
      }
      checkKept();
    },
    write(path, parts, style) {
      const eol = style?.startsWith("crlf") === true ? "\r\n" : "\n";
      const mark = style?.endsWith("bom") === true ? "\uFEFF" : "";
      const written = [mark, ...parts.map((part) => withLineEnds(part, eol))];
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), textOf(written));
      kept.push({ path, text: textOf(written), pattern: patternOf(written) });
    },
    read: (path) => readFileSync(join(root, path), "utf8"),
    stubs: (model) =>
      emitters
        .flatMap((emitter) => emitter.emit(model, layout))
        .filter(({ ownership }) => ownership === "stub"),
    loseManifest() {
      rmSync(join(root, layout.out), { recursive: true, force: true });
      rmSync(join(root, layout.handlers, "index.ts"), { force: true });
    },
    dispose: () => rmSync(root, { recursive: true, force: true }),
  };
}

function changedPaths({ files, manifest }: WritePlan): string {
  return [...files, manifest]
    .filter(({ kind }) => kind !== "keep")
    .map(({ kind, path }) => `${kind} ${path}`)
    .join(", ");
}

function withLineEnds(part: Part, eol: string): Part {
  if (typeof part === "string") return part.replaceAll("\n", eol);
  return "doc" in part ? { doc: part.doc.replaceAll("\n", eol) } : part;
}

function filesBelow(root: string, folder: string): readonly string[] {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(root, join(entry.parentPath, entry.name)).replaceAll(sep, "/"))
    .toSorted();
}
