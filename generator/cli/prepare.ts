import type { Diagnostic } from "../diagnostics/index.ts";
import type { EmitLayout } from "../emit/index.ts";
import {
  isUpToDate,
  outputDiagnostic,
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

export interface PrepareOptions {
  /** Whether handler files whose method is gone are moved out of the way. */
  readonly prune?: boolean;
}

export type Stage = "reading" | "printing" | "comparing" | "writing";

/** From text to plan, for each spec. Reads, writes nothing. */
export async function prepare(
  config: ProjectConfig,
  targets: readonly SpecTarget[],
  onStage: (spec: string, stage: Stage) => void,
  options: PrepareOptions = {},
): Promise<readonly Prepared[]> {
  const folder = projectFolder(config.root);
  const generator = generatorDigest();
  let full: Promise<Preparing> | undefined;
  const prepareWith: Preparing = async (...request) => {
    full ??= prepareInFull(folder, options);
    const prepareSpec = await full;
    return await prepareSpec(...request);
  };
  const prepared: Prepared[] = [];
  for (const target of targets) {
    const startedAt = performance.now();
    const layout = { out: target.out, handlers: target.handlers, contract: config.contract };
    const inputs = { spec: target.spec, layout, generator };
    const upToDate = options.prune === true ? undefined : isUpToDate(folder, inputs);
    const result =
      upToDate === undefined
        ? await prepareWith(target.spec, layout, (stage) => onStage(target.spec, stage))
        : { folders: [], upToDate: upToDate.files, diagnostics: upToDate.diagnostics };
    prepared.push({ target, inputs, ...result, elapsedMs: performance.now() - startedAt });
  }
  return prepared;
}

type Preparation = Omit<Prepared, "target" | "inputs" | "elapsedMs">;
type Preparing = (spec: string, layout: EmitLayout, onStage: (stage: Stage) => void) => Promise<Preparation>;

/** Loads what a run needs that has something to do: the others start without it. */
async function prepareInFull(folder: ProjectFolder, options: PrepareOptions): Promise<Preparing> {
  const [{ createModelLoader }, { loadEmitters }, { plan, render }] = await Promise.all([
    import("../model/index.ts"),
    import("../emit/index.ts"),
    import("../output/index.ts"),
  ]);
  const emitters = await loadEmitters();
  const source = specSource(folder);
  const loadModel = createModelLoader(source.read);
  return async (spec, layout, onStage) => {
    onStage("reading");
    const { value: model, diagnostics } = loadModel(spec);
    const found = [...diagnostics, ...source.ignored(spec)];
    // A folder that two specs use is read once, so each counts all that were read so far as its own.
    const folders = [...source.folders];
    if (model === undefined) return { folders, diagnostics: found };
    onStage("printing");
    const rendered = await render(emitters.flatMap((emitter) => emitter.emit(model, layout)));
    onStage("comparing");
    const planned = await plan({
      folder,
      layout,
      model,
      rendered,
      generatorVersion: generatorVersion(),
      ...options,
    });
    return {
      folders,
      ...(planned.value === undefined ? {} : { plan: planned.value }),
      diagnostics: [...found, ...planned.diagnostics],
    };
  };
}

function specSource(folder: ProjectFolder) {
  const folders = new Set<string>();
  return {
    folders,
    /** The spec files of a folder; undefined where there is none. */
    read(path: string): readonly SourceText[] | undefined {
      folders.add(path);
      const files = folder.list(path).filter((file) => file.endsWith(".yaml"));
      if (files.length === 0) return undefined;
      return files.map((file) => sourceText(file, folder.read(file)?.toString() ?? ""));
    },
    /** Files that look like part of a spec and are not. */
    ignored(path: string): readonly Diagnostic[] {
      const files = folder.list(path).filter((file) => /\.ya?ml$/i.test(file) && !file.endsWith(".yaml"));
      return files.map((file) => outputDiagnostic("spec-file-ignored", {}, file));
    },
  };
}
