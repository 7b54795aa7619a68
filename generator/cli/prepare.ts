import type { Diagnostic } from "../diagnostics/index.ts";
import type { EmitLayout, Emitter } from "../emit/index.ts";
import {
  isUpToDate,
  projectFolder,
  type ProjectFolder,
  type RunInputs,
  type WritePlan,
} from "../output/index.ts";
import { sourceText, type SourceText } from "../source/index.ts";
import type { ProjectConfig, SpecTarget } from "./config.ts";
import { generatorDigest, generatorVersion } from "./generator-digest.ts";

/** What a run knows of one spec before anything is written. */
export interface Prepared {
  readonly target: SpecTarget;
  readonly inputs: RunInputs;
  /** The spec folders that were read: its own and those it uses. */
  readonly folders: readonly string[];
  /** Absent where a mistake was found, and where nothing has changed since the last run. */
  readonly plan?: WritePlan;
  /** The number of files, where nothing has changed since the last run. */
  readonly upToDate?: number;
  readonly diagnostics: readonly Diagnostic[];
  readonly elapsedMs: number;
}

export type Stage = "reading" | "printing" | "comparing" | "writing";

/** From text to plan, for each spec. Reads, writes nothing. */
export async function prepare(
  config: ProjectConfig,
  targets: readonly SpecTarget[],
  onStage: (spec: string, stage: Stage) => void,
): Promise<readonly Prepared[]> {
  const folder = projectFolder(config.root);
  const generator = generatorDigest();
  const prepared: Prepared[] = [];
  for (const target of targets) {
    const startedAt = performance.now();
    const layout = { out: target.out, handlers: target.handlers, contract: config.contract };
    const inputs = { spec: target.spec, layout, generator };
    const upToDate = isUpToDate(folder, inputs);
    const result =
      upToDate === undefined
        ? await prepareOne(folder, target, layout, (stage) => onStage(target.spec, stage))
        : { folders: [], upToDate: upToDate.files, diagnostics: upToDate.diagnostics };
    prepared.push({ target, inputs, ...result, elapsedMs: performance.now() - startedAt });
  }
  return prepared;
}

async function prepareOne(
  folder: ProjectFolder,
  target: SpecTarget,
  layout: EmitLayout,
  onStage: (stage: Stage) => void,
): Promise<Omit<Prepared, "target" | "inputs" | "elapsedMs">> {
  // Loaded only here: a run with nothing to do needs none of it.
  const [{ loadServiceModel }, { loadEmitters }, { plan, render }] = await Promise.all([
    import("../model/index.ts"),
    import("../emit/index.ts"),
    import("../output/index.ts"),
  ]);
  onStage("reading");
  const folders: string[] = [];
  const { value: model, diagnostics } = loadServiceModel(target.spec, (path) => {
    folders.push(path);
    return specTexts(folder, path);
  });
  if (model === undefined) return { folders, diagnostics };
  onStage("printing");
  const drafts = (await loadEmitters()).flatMap((emitter: Emitter) => emitter.emit(model, layout));
  const rendered = await render(drafts);
  onStage("comparing");
  const planned = await plan({ folder, layout, model, rendered, generatorVersion: generatorVersion() });
  return {
    folders,
    ...(planned.value === undefined ? {} : { plan: planned.value }),
    diagnostics: [...diagnostics, ...planned.diagnostics],
  };
}

/** The spec files of a folder; undefined where there is no folder. */
function specTexts(folder: ProjectFolder, path: string): readonly SourceText[] | undefined {
  const files = folder.list(path).filter((file) => file.endsWith(".yaml"));
  return files.length === 0
    ? undefined
    : files.map((file) => sourceText(file, folder.read(file)?.toString() ?? ""));
}
