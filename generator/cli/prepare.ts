import type { Diagnostic } from "../language/diagnostics/index.ts";
import {
  isUpToDate,
  projectFolder,
  filesLeft,
  rememberRun,
  snapshotOf,
  type ProjectFolder,
  type RunInputs,
  type UpToDate,
  type WritePlan,
} from "../output/index.ts";
import type { EmitLayout } from "../targets/index.ts";
import { omitUndefined } from "../../conformance/base/omit-undefined.ts";
import type { ProjectConfig, SpecTarget } from "./config.ts";
import { readGuides } from "./disk-reader.ts";
import { generatorDigest } from "./generator-digest.ts";
import type { FullPreparer } from "./build-plan.ts";
import { digestOfModules, loadProjectEmitters, modulesFor } from "./project-emitters.ts";

/** The state of one spec before anything is written. */
export interface Prepared {
  readonly target: SpecTarget;
  readonly inputs: RunInputs;
  /** The spec files as they were read. */
  readonly specs: ProjectFolder;
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
  /** The project's files; if absent, read anew. */
  readonly folder?: ProjectFolder;
  /** The spec files to read; those of the disk if absent. */
  readonly specs?: ProjectFolder;
  /** Tells that a spec need not be prepared; if absent, by the record of the last run on disk. */
  readonly upToDate?: (inputs: RunInputs) => UpToDate | undefined;
  /** Prepares the specs; if absent, without a memory of earlier runs. */
  readonly preparer?: FullPreparer;
}

export type Stage = "reading" | "printing" | "comparing" | "writing";

/** From text to plan, for each spec. Reads, writes nothing. */
export async function prepare(
  config: ProjectConfig,
  targets: readonly SpecTarget[],
  onStage: (spec: string, stage: Stage) => void,
  options: PrepareOptions = {},
): Promise<readonly Prepared[]> {
  const folder = options.folder ?? projectFolder(config.root);
  const specs = options.specs ?? snapshotOf(folder);
  const upToDateOf = options.upToDate ?? ((inputs) => isUpToDate(folder, inputs));
  let preparing: ReturnType<FullPreparer> | undefined;
  const prepared: Prepared[] = [];
  for (const target of targets) {
    const startedAt = performance.now();
    const layout = layoutOf(config, target, folder);
    const calls = target.calls ?? [];
    const modules = modulesFor(config, target);
    const generator = generatorDigest() + (modules.length === 0 ? "" : digestOfModules(folder, modules));
    const inputs = { spec: target.spec, layout, calls, generator };
    const upToDate = options.prune === true ? undefined : upToDateOf(inputs);
    if (upToDate === undefined) {
      onStage(target.spec, "reading");
      const preparer = options.preparer ?? (await loadPreparer());
      preparing ??= preparer(folder, specs, { prune: options.prune === true });
    }
    const result =
      upToDate === undefined
        ? await preparing?.(target.spec, layout, (stage) => onStage(target.spec, stage), {
            calls,
            own: await loadProjectEmitters(config.root, modules),
          })
        : { folders: [], upToDate: upToDate.files, diagnostics: upToDate.diagnostics };
    if (result === undefined) throw new Error("a spec was not prepared");
    prepared.push({ target, inputs, specs, ...result, elapsedMs: performance.now() - startedAt });
  }
  return prepared;
}

/** Where the files of a spec go, and which. */
function layoutOf(
  { contract, targets, built, importExtension }: ProjectConfig,
  target: SpecTarget,
  folder: ProjectFolder,
): EmitLayout {
  const { out, handlers, handlersElsewhere } = target;
  const guides = target.guides && readGuides(folder, target);
  const wanted = target.targets ?? targets;
  const rest = { targets: wanted, importExtension, guides, handlersElsewhere };
  return { out, handlers, contract, built: [...built, ...(target.built ?? [])], ...omitUndefined(rest) };
}

/** Loads what a run needs that has something to do: the others start without it. */
export async function loadPreparer(): Promise<FullPreparer> {
  const { createPreparer } = await import("./build-plan.ts");
  return await createPreparer();
}

/** Lets the next run end early, if it finds everything as this one has left it. */
export function rememberPrepared(
  { root }: ProjectConfig,
  { plan, ...prepared }: Prepared,
  folder: ProjectFolder = projectFolder(root),
): void {
  if (plan === undefined) return;
  const { inputs, specs, folders, diagnostics } = prepared;
  const left = new Map([...plan.owned, ...plan.handWritten]);
  rememberRun(folder, inputs, { specs, folders, files: filesLeft(plan.files), left, diagnostics });
}
