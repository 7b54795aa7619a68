import { spawnSync } from "node:child_process";
import { sourceText, type SourceText } from "../../language/source/index.ts";

/** Files of a project as they were in a revision. Paths are relative to the folder the repository was opened from. */
export interface GitRepository {
  /** Where the folder is in the repository: empty, or `packages/notes/`. */
  readonly prefix: string;
  /** Whether only the end of its history is here. */
  isShallow(): boolean;
  /** The commit that a name such as `HEAD~3` stands for; undefined where it stands for none. */
  commitOf(revision: string): string | undefined;
  /** The spec files below a folder; undefined where there are none. */
  specTexts(commit: string, folder: string): readonly SourceText[] | undefined;
  read(commit: string, path: string): string | undefined;
  /** A path that is relative to the repository's root, from the folder's point of view. */
  fromRoot(path: string): string;
}

/** Undefined where the folder is in no git repository, or where there is no git. */
export function openRepository(folder: string): GitRepository | undefined {
  const opened = git(folder, ["rev-parse", "--show-prefix"]);
  if (opened === undefined) return undefined;
  const prefix = opened.toString().replace(/\r?\n$/, "");
  const known = new Map<string, readonly SourceText[]>();
  return {
    prefix,
    isShallow: () => git(folder, ["rev-parse", "--is-shallow-repository"])?.toString().trim() === "true",
    commitOf(revision) {
      const found = git(folder, [
        "rev-parse",
        "--verify",
        "--quiet",
        "--end-of-options",
        `${revision}^{commit}`,
      ]);
      return found?.toString().trim();
    },
    specTexts(commit, path) {
      const at = inside(prefix, path);
      if (at === undefined) return undefined;
      // What a commit holds stays the same.
      const key = `${commit}:${at}`;
      const files = known.get(key) ?? specFiles(folder, prefix, commit, at);
      known.set(key, files);
      return files.length === 0 ? undefined : files;
    },
    fromRoot: (path) => outside(prefix, path),
    read(commit, path) {
      const at = inside(prefix, path);
      return at === undefined ? undefined : git(folder, ["show", `${commit}:${at}`])?.toString();
    },
  };
}

/** The spec files below a folder of a commit, by two processes however many files there are. */
function specFiles(folder: string, prefix: string, commit: string, at: string): readonly SourceText[] {
  const listed =
    git(folder, ["ls-tree", "-r", "-z", "--full-tree", commit, "--", `${at}/`])?.toString() ?? "";
  const entries = listed.split("\0").filter((entry) => entry.endsWith(".yaml"));
  // An entry is `<mode> blob <object>`, a tab and the path.
  const objects = entries.map((entry) => `${entry.slice(0, entry.indexOf("\t")).split(" ").at(-1)}\n`);
  let rest = git(folder, ["cat-file", "--batch"], objects.join("")) ?? Buffer.alloc(0);
  return entries.map((entry) => {
    // `<object> blob <bytes>`, a line end, the bytes, a line end; `<object> missing` where it is not there.
    const start = rest.indexOf("\n") + 1;
    const bytes = / (\d+)\n$/.exec(rest.toString("latin1", 0, start))?.[1];
    const text = rest.toString("utf8", start, start + Number(bytes ?? 0));
    rest = rest.subarray(bytes === undefined ? start : start + Number(bytes) + 1);
    return sourceText(outside(prefix, entry.slice(entry.indexOf("\t") + 1)), text);
  });
}

/** From the folder's point of view to the repository's; undefined above its root. */
function inside(prefix: string, path: string): string | undefined {
  const parts = [...prefix.split("/"), ...path.split("/")].filter((part) => part !== "" && part !== ".");
  const kept: string[] = [];
  for (const part of parts) {
    if (part !== "..") kept.push(part);
    else if (kept.pop() === undefined) return undefined;
  }
  return kept.join("/");
}

function outside(prefix: string, path: string): string {
  if (path.startsWith(prefix)) return path.slice(prefix.length);
  const parts = prefix.split("/").filter((part) => part !== "");
  const other = path.split("/");
  let shared = 0;
  while (shared < parts.length && parts[shared] === other[shared]) shared += 1;
  return [...parts.slice(shared).map(() => ".."), ...other.slice(shared)].join("/");
}

/** The output of git for an input; `undefined` where it fails. No shell is used. */
function git(cwd: string, args: readonly string[], input = ""): Buffer | undefined {
  const { status, stdout } = spawnSync("git", args, {
    cwd,
    input,
    maxBuffer: 2 ** 28,
    stdio: ["pipe", "pipe", "ignore"],
  });
  return status === 0 ? stdout : undefined;
}
