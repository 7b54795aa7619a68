import { mkdirSync, readdirSync, renameSync, rmdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Diagnostic } from "../diagnostics/index.ts";
import { outputDiagnostic } from "./catalogue.ts";
import { reasonOf } from "./folder.ts";
import type { WritePlan } from "./plan.ts";
import type { PlannedFile } from "./planned-file.ts";

/** What a run did for one interface. */
export interface WriteReport {
  readonly interface: string;
  readonly written: readonly string[];
  readonly deleted: readonly string[];
  readonly moved: readonly { readonly from: string; readonly to: string }[];
  readonly unchanged: number;
  /** Errors of the file system: the plan is then done in part, and the next run does the rest. */
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Carries a plan out. Each file is either as it was or as it should be at any moment: its text is written beside it
 * and renamed over it. The manifest comes last, so that a run that was interrupted is taken up again by the next.
 */
export function apply(root: string, { interface: name, files, manifest, claim }: WritePlan): WriteReport {
  const written: string[] = [];
  const deleted: string[] = [];
  const moved: { from: string; to: string }[] = [];
  const diagnostics: Diagnostic[] = [];
  const writer = fileWriter(root);
  try {
    if (claim !== undefined) writer.write(manifest.path, claim);
    for (const file of [...files.toSorted(deletesFirst), manifest]) {
      writer.carryOut(file);
      if (file.kind === "create" || file.kind === "update") written.push(file.path);
      if (file.kind === "delete") deleted.push(file.path);
      if (file.kind === "move") moved.push({ from: file.from, to: file.path });
    }
  } catch (cause) {
    if (!(cause instanceof UnwritableFile)) throw cause;
    diagnostics.push(outputDiagnostic("file-unwritable", { reason: cause.message }, cause.path));
  }
  const unchanged = files.filter(({ kind }) => kind === "keep").length + (manifest.kind === "keep" ? 1 : 0);
  return { interface: name, written, deleted, moved, unchanged, diagnostics };
}

class UnwritableFile extends Error {
  override readonly name = "UnwritableFile";
  readonly path: string;

  constructor(path: string, cause: unknown) {
    super(reasonOf(cause), { cause });
    this.path = path;
  }
}

/** On a file system that ignores case, a file that only changes its case is deleted before it is written. */
function deletesFirst(a: PlannedFile, b: PlannedFile): number {
  return Number(b.kind === "delete") - Number(a.kind === "delete");
}

interface FileWriter {
  carryOut(file: PlannedFile): void;
  write(path: string, text: string): void;
}

function fileWriter(root: string): FileWriter {
  const prepared = new Set<string>();
  const write = (path: string, text: string, flush = false): void => {
    const target = join(root, path);
    const folder = dirname(target);
    if (!prepared.has(folder)) prepareFolder(folder);
    prepared.add(folder);
    const temporary = `${target}.${process.pid}${temporaryEnding}`;
    try {
      writeFileSync(temporary, text, { flush });
      renameSync(temporary, target);
    } catch (cause) {
      rmSync(temporary, { force: true });
      throw cause;
    }
  };
  const remove = (path: string): void => {
    rmSync(join(root, path), { force: true });
    removeEmptyFolders(root, dirname(path));
  };
  return {
    write: (path, text) => guarded(path, () => write(path, text)),
    carryOut: (file) =>
      guarded(file.path, () => {
        if (file.kind === "create" || file.kind === "update" || file.kind === "move")
          write(file.path, file.text);
        if (file.kind === "delete") remove(file.path);
        if (file.kind === "move") remove(file.from);
      }),
  };
}

function guarded(path: string, action: () => void): void {
  try {
    action();
  } catch (cause) {
    throw new UnwritableFile(path, cause);
  }
}

const temporaryEnding = ".ledger-rpc-tmp";

/** Makes the folder, and removes what a run that was killed left in it. */
function prepareFolder(folder: string): void {
  mkdirSync(folder, { recursive: true });
  for (const name of readdirSync(folder)) {
    const pid = /\.(\d+)\.ledger-rpc-tmp$/.exec(name)?.[1];
    if (pid !== undefined && !isRunning(Number(pid))) rmSync(join(folder, name), { force: true });
  }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

function removeEmptyFolders(root: string, path: string): void {
  if (path === "." || path === "") return;
  try {
    rmdirSync(join(root, path));
  } catch {
    return;
  }
  removeEmptyFolders(root, dirname(path));
}
