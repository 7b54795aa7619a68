import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Diagnostic } from "../language/diagnostics/index.ts";
import type { EmitLayout } from "../targets/emitter.ts";
import { UnreadableFile, type ProjectFolder } from "./folder.ts";
import { diagnosticsOfNextRun, restoredDiagnostics, savedDiagnostics } from "./saved-diagnostic.ts";
import { atPlace, makeFolder } from "./inside.ts";

/**
 * The inputs of a run, besides the files it wrote. A second run over equal inputs and
 * unchanged files has nothing to do.
 */
export interface RunInputs {
  /** Names the interface's memory: one a project and spec folder. */
  readonly spec: string;
  readonly layout: EmitLayout;
  /** Folders whose calls are held against the spec. */
  readonly calls: readonly string[];
  /** Digest of the generator itself. */
  readonly generator: string;
}

/** The result of a run that has nothing to do. */
export interface UpToDate {
  /** The number of files. */
  readonly files: number;
  readonly diagnostics: readonly Diagnostic[];
}

interface Memory {
  /** The spec folders that were read. */
  readonly folders: readonly string[];
  readonly digest: string;
  readonly files: number;
  readonly diagnostics: unknown;
}

/** The result where everything is up to date; `undefined` where only a run can tell. */
export function isUpToDate(folder: ProjectFolder, inputs: RunInputs): UpToDate | undefined {
  try {
    const memory = readMemory(folder, inputs);
    if (memory === undefined || digestOfRun(folder, folder, inputs, memory.folders) !== memory.digest)
      return undefined;
    const diagnostics = restoredDiagnostics(folder, memory.diagnostics);
    return diagnostics === undefined ? undefined : { files: memory.files, diagnostics };
  } catch (cause) {
    if (cause instanceof UnreadableFile) return undefined;
    throw cause;
  }
}

/** Keeps what a run saw and left behind, below `.cache`. Losing it costs the next run some time, nothing else. */
export function rememberRun(
  folder: ProjectFolder,
  inputs: RunInputs,
  seen: {
    /** The spec files as the run has read them: a file saved since counts as changed. */
    readonly specs: ProjectFolder;
    readonly folders: readonly string[];
    readonly files: number;
    /** SHA-256 of files as the run has left them, by path: one that is saved since counts as changed. */
    readonly left: ReadonlyMap<string, string>;
    readonly diagnostics: readonly Diagnostic[];
  },
): void {
  const { specs, folders, files, left } = seen;
  const diagnostics = savedDiagnostics(diagnosticsOfNextRun(seen.diagnostics));
  const digest = digestOfRun(folder, specs, inputs, folders, left);
  const memory: Memory = { folders, digest, files, diagnostics };
  const path = join(folder.root, memoryPath(inputs));
  try {
    makeFolder(folder.root, dirname(path));
    atPlace(folder.root, path, (place) => writeFileSync(place, JSON.stringify(memory)));
  } catch {
    // A read-only checkout runs in full each time.
  }
}

function memoryPath({ spec }: RunInputs): string {
  return `.cache/ledger-rpc/${spec.replaceAll("/", "+")}.json`;
}

function digestOfRun(
  folder: ProjectFolder,
  specs: ProjectFolder,
  inputs: RunInputs,
  folders: readonly string[],
  left: ReadonlyMap<string, string> = new Map(),
): string {
  const digest = createHash("sha256").update(JSON.stringify(inputs));
  const { out, handlers, built = [] } = inputs.layout;
  const isBuilt = (path: string): boolean =>
    path.startsWith(`${out}/.`) ||
    built.some((name) => path.startsWith(`${out}/${name}/`) || path === `${out}/${name}.json`);
  const add = (from: ProjectFolder, paths: readonly string[]): void => {
    for (const path of paths.flatMap((each) => from.list(each)).filter((each) => !isBuilt(each))) {
      digest.update(`\n${path} ${left.get(path) ?? from.digest(path) ?? "gone"}`);
    }
  };
  add(specs, folders);
  add(folder, [out, handlers]);
  return digest.digest("hex");
}

function readMemory(folder: ProjectFolder, inputs: RunInputs): Memory | undefined {
  try {
    const memory: unknown = JSON.parse(readFileSync(join(folder.root, memoryPath(inputs)), "utf8"));
    return isMemory(memory) ? memory : undefined;
  } catch {
    return undefined;
  }
}

function isMemory(value: unknown): value is Memory {
  if (typeof value !== "object" || value === null) return false;
  if (!("folders" in value && "digest" in value && "files" in value && "diagnostics" in value)) return false;
  const { folders, digest, files } = value;
  const isFolders = Array.isArray(folders) && folders.every((each) => typeof each === "string");
  return isFolders && typeof digest === "string" && typeof files === "number";
}
