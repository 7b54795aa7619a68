import { existsSync, readdirSync, statSync, watch, type FSWatcher } from "node:fs";
import { basename, dirname, join } from "node:path";

/** Tells that something may have happened to some files. What it was is for the listener to find out. */
export interface FileEvents {
  /** How often something may have happened so far. */
  readonly count: number;
  /** From now on these are followed: folders with all that is below them, and files; nothing else. */
  follow(followed: Followed): void;
  /** Waits until something may have happened, after so many times. */
  after(count: number, stop: AbortSignal): Promise<void>;
  close(): void;
}

/** Absolute paths, of what need not be there. */
export interface Followed {
  readonly folders: readonly string[];
  readonly files: readonly string[];
}

/** How long something goes unnoticed where the system tells nothing: on network drives, in some containers. */
const pollIntervalMs = 1_000;

export function createFileEvents(): FileEvents {
  const watchers = createWatchers();
  let followed: Followed = { folders: [], files: [] };
  let state = "";
  let count = 0;
  let wake: (() => void) | undefined;

  const tell = (): void => {
    count += 1;
    wake?.();
  };
  const timer = setInterval(() => {
    if (stateOf(followed) !== state) tell();
  }, pollIntervalMs);

  return {
    get count() {
      return count;
    },
    follow(next) {
      followed = next;
      watchers.set(wantedFolders(followed), tell);
      state = stateOf(followed);
    },
    after: (known, stop) =>
      new Promise((resolve) => {
        wake = resolve;
        stop.addEventListener("abort", () => resolve(), { once: true });
        if (count > known || stop.aborted) resolve();
      }),
    close() {
      clearInterval(timer);
      watchers.set([], tell);
    },
  };
}

interface WantedFolder {
  readonly path: string;
  /** The names in it that matter; all if absent. */
  readonly names?: ReadonlySet<string>;
}

/** One watcher a folder: that works on every system, and tells of files that are replaced. */
function createWatchers() {
  const watchers = new Map<string, { readonly watcher: FSWatcher; readonly identity: string }>();
  return {
    set(wanted: readonly WantedFolder[], onEvent: () => void): void {
      const identities = new Map(wanted.map(({ path }) => [path, identityOf(path)]));
      for (const [path, { watcher, identity }] of watchers) {
        if (identities.get(path) === identity) continue;
        watcher.close();
        watchers.delete(path);
      }
      for (const { path, names } of wanted) {
        if (watchers.has(path)) continue;
        const watcher = opened(path, (name) => {
          if (names === undefined || name === null || names.has(name)) onEvent();
        });
        if (watcher !== undefined) watchers.set(path, { watcher, identity: identities.get(path) ?? "" });
      }
    },
  };
}

/** Undefined where the system cannot watch: then only the regular look at the files is left. */
function opened(path: string, onEvent: (name: string | null) => void): FSWatcher | undefined {
  try {
    const watcher = watch(path, (_, name) => onEvent(name));
    watcher.on("error", () => watcher.close());
    return watcher;
  } catch {
    return undefined;
  }
}

/** A folder that was removed and made anew is another one. */
function identityOf(path: string): string {
  const { dev, ino } = statSync(path, { throwIfNoEntry: false }) ?? { dev: 0, ino: 0 };
  return `${dev} ${ino}`;
}

/** Where the system's events are to come from: for what is missing, from the nearest folder above it. */
function wantedFolders({ folders, files }: Followed): readonly WantedFolder[] {
  const whole = new Set(
    folders.flatMap((folder) =>
      existsSync(folder) ? [folder, ...foldersBelow(folder)] : [nearestFolder(folder)],
    ),
  );
  const others = Map.groupBy(files, (file) => nearestFolder(dirname(file)));
  return [
    ...[...whole].map((path) => ({ path })),
    ...[...others]
      .filter(([path]) => !whole.has(path))
      .map(([path, group]) => ({ path, names: new Set(group.map((file) => basename(file))) })),
  ];
}

function nearestFolder(path: string): string {
  return existsSync(path) || dirname(path) === path ? path : nearestFolder(dirname(path));
}

function foldersBelow(folder: string): readonly string[] {
  return entriesBelow(folder).flatMap((entry) => (entry.isFolder ? [entry.path] : []));
}

/** Differs when something has changed. Costs a look at each file, not its text. */
function stateOf({ folders, files }: Followed): string {
  const paths = [...files, ...folders.flatMap((folder) => entriesBelow(folder).map(({ path }) => path))];
  return paths
    .map((path) => {
      const found = statSync(path, { bigint: true, throwIfNoEntry: false });
      return found === undefined ? path : `${path} ${found.ino} ${found.mtimeNs} ${found.size}`;
    })
    .join("\n");
}

function entriesBelow(folder: string): readonly { readonly path: string; readonly isFolder: boolean }[] {
  try {
    return readdirSync(folder, { withFileTypes: true, recursive: true }).map((entry) => ({
      path: join(entry.parentPath, entry.name),
      isFolder: entry.isDirectory(),
    }));
  } catch {
    // It went away meanwhile: the folder above it tells.
    return [];
  }
}
