import { lstatSync, readdirSync, readFileSync, realpathSync, statSync } from "node:fs";
import { join, sep } from "node:path";
import { digestOf } from "./digest.ts";
import { LeadsOutside } from "./inside.ts";

/** The project's files as a run sees them: paths are relative to its root, with forward slashes. */
export interface ProjectFolder {
  readonly root: string;
  /** The file's bytes; undefined if it does not exist. Throws `UnreadableFile`. */
  read(path: string): Buffer | undefined;
  /** SHA-256 of the file's bytes, in hexadecimal; undefined if it does not exist. Throws `UnreadableFile`. */
  digest(path: string): string | undefined;
  /** The files below a folder, in path order; none where it does not exist. Links lead only to folders outside of it. */
  list(path: string): readonly string[];
}

/** The path has no file that can be read. */
export class UnreadableFile extends Error {
  override readonly name = "UnreadableFile";
  readonly path: string;

  constructor(path: string, cause: unknown) {
    super(reasonOf(cause), { cause });
    this.path = path;
  }
}

export function projectFolder(root: string): ProjectFolder {
  const read = (path: string): Buffer | undefined => {
    try {
      requireNoPipe(root, path);
      return readFileSync(join(root, path));
    } catch (cause) {
      if (errorCode(cause) === "ENOENT" && !isLink(join(root, path))) return undefined;
      throw cause instanceof UnreadableFile ? cause : new UnreadableFile(path, cause);
    }
  };
  return {
    root,
    read,
    digest: (path) => digestOfBytes(read(path)),
    list(path) {
      try {
        return filesBelow(root, path, [realpathSync(join(root, path))]).toSorted();
      } catch (cause) {
        if (errorCode(cause) === "ENOENT") return [];
        throw cause instanceof UnreadableFile ? cause : new UnreadableFile(path, cause);
      }
    },
  };
}

/** The folder as it is when a path of it is first asked for: what changes later is not seen. */
export function snapshotOf(folder: ProjectFolder): ProjectFolder {
  const files = new Map<string, Buffer | undefined>();
  const lists = new Map<string, readonly string[]>();
  return {
    root: folder.root,
    read(path) {
      if (!files.has(path)) files.set(path, folder.read(path));
      return files.get(path);
    },
    digest(path) {
      return digestOfBytes(this.read(path));
    },
    list(path) {
      const paths = lists.get(path) ?? folder.list(path);
      lists.set(path, paths);
      return paths;
    },
  };
}

function digestOfBytes(bytes: Buffer | undefined): string | undefined {
  return bytes === undefined ? undefined : digestOf(bytes);
}

/** The reason why an access to a file failed, in words and without its absolute path. */
export function reasonOf(cause: unknown): string {
  if (cause instanceof UnreadableFile || cause instanceof LeadsOutside) return cause.message;
  const code = errorCode(cause);
  const words: Readonly<Record<string, string>> = {
    EACCES: "permission denied",
    ENOENT: "it is a link that leads to no file",
    EPERM: "permission denied",
    EROFS: "the file system is read-only",
    EISDIR: "it is a folder",
    ELOOP: "its links lead in a circle",
    ENOTDIR: "a file stands where a folder of its path belongs",
    EEXIST: "a file stands where a folder of its path belongs",
    ENOSPC: "no space left on the disk",
  };
  return words[code] ?? (code === "" ? String(cause) : code);
}

function isLink(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true;
}

/** Throws `UnreadableFile`, also for links that lead to each other. */
function targetOf(root: string, path: string): ReturnType<typeof lstatSync> {
  try {
    return statSync(join(root, path), { throwIfNoEntry: false });
  } catch (cause) {
    throw new UnreadableFile(path, cause);
  }
}

/** A pipe without a writer would hold up its reader for ever. */
function requireNoPipe(root: string, path: string): void {
  const found = statSync(join(root, path), { throwIfNoEntry: false });
  if (found === undefined || found.isFile() || found.isDirectory()) return;
  throw new UnreadableFile(path, "it is a pipe, a socket or a device, not a file");
}

function errorCode(cause: unknown): string {
  return cause instanceof Error && "code" in cause && typeof cause.code === "string" ? cause.code : "";
}

/** `inside`: the folders, by their real paths, that are read already. */
function filesBelow(root: string, folder: string, inside: readonly string[]): readonly string[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory()) return filesBelow(root, path, inside);
    if (entry.isFile()) return [path];
    const found = targetOf(root, path);
    // Reading a link that leads nowhere says so: without its file a spec would be another one. Editors lock files by hidden ones.
    if (found === undefined) return entry.name.startsWith(".") ? [] : [path];
    if (!found.isDirectory()) return found.isFile() ? [path] : [];
    const real = realpathSync(join(root, path));
    const isRead = inside.some(
      (each) => `${real}${sep}`.startsWith(`${each}${sep}`) || `${each}${sep}`.startsWith(`${real}${sep}`),
    );
    return isRead ? [] : filesBelow(root, path, [...inside, real]);
  });
}
