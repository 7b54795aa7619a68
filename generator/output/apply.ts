import {
  chmodSync,
  constants,
  copyFileSync,
  existsSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { diagnosticOf, type Diagnostic } from "../language/diagnostics/index.ts";
import { atPlace, checkInside, makeFolder } from "./inside.ts";
import { projectFolder, reasonOf, type ProjectFolder } from "./folder.ts";
import { movesInOrder } from "./move-order.ts";
import type { WritePlan } from "./plan.ts";
import type { PlannedFile } from "./planned-file.ts";

/** The changes of a run for one interface. */
export interface WriteReport {
  readonly interface: string;
  readonly written: readonly string[];
  readonly deleted: readonly string[];
  readonly moved: readonly { readonly from: string; readonly to: string }[];
  readonly unchanged: number;
  /**
   * Errors of the file system: the plan is then done in part, and the next run does the rest. And what people have yet
   * to write.
   */
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Carries a plan out. Each file is either as it was or as it should be at any moment: its text is written beside it
 * and renamed over it. The manifest comes last, so that a run that was interrupted is taken up again by the next.
 * A file that people wrote is touched only while it is as the plan has read it; that is checked once more in the end. Links are
 * followed inside the project alone: where one leads out of it, nothing is written.
 */
export function apply(
  root: string,
  { interface: name, files, manifest, claim, handWritten, unfinished }: WritePlan,
  folder: ProjectFolder = projectFolder(root),
): WriteReport {
  const written: string[] = [];
  const deleted: string[] = [];
  const moved: { from: string; to: string }[] = [];
  const diagnostics: Diagnostic[] = [];
  const writer = fileWriter(folder);
  try {
    for (const file of [...files, manifest]) {
      if (file.kind === "keep") continue;
      for (const path of "from" in file ? [file.from, file.path] : [file.path])
        guarded(path, () => checkInside(root, path));
    }
    if (claim !== undefined) writer.write(manifest.path, claim);
    for (const file of [...movesInOrder(files).toSorted(deletesFirst), manifest]) {
      writer.carryOut(file);
      if (file.kind === "create" || file.kind === "update") written.push(file.path);
      if (file.kind === "delete") deleted.push(file.path);
      if (file.kind === "move" || file.kind === "aside") moved.push({ from: file.from, to: file.path });
    }
    for (const path of changedMeanwhile(folder, handWritten))
      diagnostics.push(diagnosticOf("handler-changed", {}, { path }));
  } catch (cause) {
    if (cause instanceof ChangedMeanwhile)
      diagnostics.push(diagnosticOf("handler-changed", {}, { path: cause.path }));
    else if (cause instanceof UnwritableFile)
      diagnostics.push(diagnosticOf("file-unwritable", { reason: cause.message }, { path: cause.path }));
    else throw cause;
  }
  const unchanged = files.filter(({ kind }) => kind === "keep").length + (manifest.kind === "keep" ? 1 : 0);
  return {
    interface: name,
    written,
    deleted,
    moved,
    unchanged,
    diagnostics: [...diagnostics, ...unfinished],
  };
}

class UnwritableFile extends Error {
  override readonly name = "UnwritableFile";
  readonly path: string;

  constructor(path: string, cause: unknown) {
    super(reasonOf(cause), { cause });
    this.path = path;
  }
}

/** A file is not what the plan has read: its author was faster. */
class ChangedMeanwhile extends Error {
  override readonly name = "ChangedMeanwhile";
  readonly path: string;

  constructor(path: string) {
    super(`${path} has changed meanwhile`);
    this.path = path;
  }
}

/** The files of people that are not what they should be after the run, byte for byte. */
function changedMeanwhile(
  folder: ProjectFolder,
  handWritten: ReadonlyMap<string, string>,
): readonly string[] {
  return [...handWritten].flatMap(([path, digest]) => (folder.digest(path) === digest ? [] : [path]));
}

/** On a file system that ignores case, a file that only changes its case is deleted before it is written. */
function deletesFirst(a: PlannedFile, b: PlannedFile): number {
  return Number(b.kind === "delete") - Number(a.kind === "delete");
}

interface FileWriter {
  carryOut(file: PlannedFile): void;
  write(path: string, text: string): void;
}

function fileWriter(folder: ProjectFolder): FileWriter {
  const { root } = folder;
  const prepared = new Set<string>();
  const prepare = (place: string): void => {
    if (!prepared.has(place)) prepareFolder(root, place);
    prepared.add(place);
  };
  const write = (path: string, text: string, flush = false): void => {
    const { target, mode } = placeOf(join(root, path));
    prepare(dirname(target));
    atPlace(root, target, (place) => {
      const temporary = `${place}.${process.pid}${temporaryEnding}`;
      // Never through a link that somebody has put there.
      rmSync(temporary, { force: true });
      try {
        writeFileSync(temporary, text, { flush, flag: "wx" });
        if (mode !== undefined) chmodSync(temporary, mode);
        renameSync(temporary, place);
      } catch (cause) {
        rmSync(temporary, { force: true });
        throw cause;
      }
    });
  };
  const remove = (path: string): void => {
    if (existsSync(dirname(join(root, path)))) atPlace(root, path, (place) => rmSync(place, { force: true }));
    removeEmptyFolders(root, dirname(path));
  };
  const digestAt = (path: string): string => folder.digest(path) ?? "nothing";
  const check = (path: string, ...expected: readonly (string | undefined)[]): void => {
    if (!expected.includes(digestAt(path))) throw new ChangedMeanwhile(path);
  };
  const checkHandWritten = (file: PlannedFile): void => {
    if (!("read" in file) || file.read === undefined) return;
    check("from" in file ? file.from : file.path, file.read);
    if ("from" in file) check(file.path, "nothing", file.kind === "move" ? file.over : undefined);
  };
  const archiveFile = (from: string, to: string): void => {
    checkInside(root, from);
    prepare(dirname(join(root, to)));
    atPlace(root, to, (place) => copyFileSync(join(root, from), place, constants.COPYFILE_EXCL));
    if (!readFileSync(join(root, to)).equals(readFileSync(join(root, from))))
      throw new ChangedMeanwhile(from);
    remove(from);
  };
  return {
    write: (path, text) => guarded(path, () => write(path, text)),
    carryOut: (file) =>
      guarded(file.path, () => {
        checkHandWritten(file);
        if (file.kind === "aside") archiveFile(file.from, file.path);
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
    if (cause instanceof ChangedMeanwhile) throw cause;
    throw new UnwritableFile(path, cause);
  }
}

/** The file behind a link, with its permissions, which stay. */
function placeOf(path: string): { readonly target: string; readonly mode?: number } {
  const found = statSync(path, { throwIfNoEntry: false });
  return found === undefined ? { target: path } : { target: realpathSync(path), mode: found.mode };
}

const temporaryEnding = ".ledger-rpc-tmp";

/** Makes the folder, and removes what a run that was killed left in it. */
function prepareFolder(root: string, folder: string): void {
  makeFolder(root, folder);
  for (const name of readdirSync(folder)) {
    const pid = /\.(\d+)\.ledger-rpc-tmp$/.exec(name)?.[1];
    if (pid !== undefined && !isRunning(Number(pid)))
      atPlace(root, join(folder, name), (place) => rmSync(place, { force: true }));
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
    atPlace(root, path, (place) => rmdirSync(place));
  } catch {
    return;
  }
  removeEmptyFolders(root, dirname(path));
}
