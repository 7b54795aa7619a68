import { UnreadableFile, type ProjectFolder } from "../../output/index.ts";

/** A file that is not as it was. */
export interface Change {
  readonly path: string;
  readonly kind: "added" | "changed" | "removed";
  /** Whether it looks like the middle of a save: editors create, empty, remove or rename a file before its text is there. */
  readonly looksUnfinished: boolean;
}

/** Changes in folders, and in files beside them, from one state to another. */
export function changesBetween(
  before: ProjectFolder,
  after: ProjectFolder,
  folders: readonly string[],
  files: readonly string[],
): readonly Change[] {
  const old = filesOf(before, folders, files);
  const present = filesOf(after, folders, files);
  const paths = [...new Set([...old.keys(), ...present.keys()])];
  return paths.toSorted().flatMap((path) => changeOf(path, old.get(path), present.get(path)));
}

/** Only what a state lists is read from it: what was added later is not of it. */
function filesOf(
  state: ProjectFolder,
  folders: readonly string[],
  files: readonly string[],
): ReadonlyMap<string, Buffer | undefined> {
  const listed = folders.flatMap((folder) => listOf(state, folder)).filter((path) => /\.ya?ml$/i.test(path));
  return new Map([...files, ...listed].map((path) => [path, bytesOf(state, path)]));
}

function changeOf(
  path: string,
  before: Buffer | undefined,
  after: Buffer | undefined,
): readonly [Change] | readonly [] {
  if (before === after || (before !== undefined && after !== undefined && before.equals(after))) return [];
  const looksUnfinished = after === undefined || after.length === 0;
  const kind = before === undefined ? "added" : after === undefined ? "removed" : "changed";
  return [{ path, kind, looksUnfinished }];
}

/** The bytes of a file. An unreadable one counts as absent: the run reports the reason. */
function bytesOf(folder: ProjectFolder, path: string): Buffer | undefined {
  return unlessUnreadable(() => folder.read(path), undefined);
}

function listOf(folder: ProjectFolder, path: string): readonly string[] {
  return unlessUnreadable(() => folder.list(path), []);
}

function unlessUnreadable<T>(read: () => T, otherwise: T): T {
  try {
    return read();
  } catch (cause) {
    if (cause instanceof UnreadableFile) return otherwise;
    throw cause;
  }
}
