import { statSync, type BigIntStats } from "node:fs";
import { join } from "node:path";
import { digestOf } from "./digest.ts";
import type { ProjectFolder } from "./folder.ts";

/** A file as it was read. */
interface Seen {
  /** Its identity, size and times: every change of the file changes one of them. */
  readonly state: string;
  readonly digest: string;
  /** Kept where it is short. */
  readonly bytes?: Buffer;
}

/**
 * The folder, for a process that reads the same files again and again. It reads a file anew only if the file system
 * says that it may have changed. A file that changed a moment ago is not remembered: it may change again within the
 * same tick of the file system's clock.
 */
export function rememberingFolder(folder: ProjectFolder, nowMs: () => number = Date.now): ProjectFolder {
  const seen = new Map<string, Seen>();
  const look = (path: string): Seen | Buffer | undefined => {
    const stats = statSync(join(folder.root, path), { bigint: true, throwIfNoEntry: false });
    const state = stats?.isFile() === true ? stateOf(stats) : undefined;
    const known = seen.get(path);
    if (known !== undefined && known.state === state) return known;
    seen.delete(path);
    const bytes = folder.read(path);
    if (stats === undefined || state === undefined || bytes === undefined || !isSettled(stats, nowMs()))
      return bytes;
    const kept = bytes.length > bytesKeptMax ? {} : { bytes };
    const found = { state, digest: digestOf(bytes), ...kept };
    seen.set(path, found);
    return found.bytes === undefined ? bytes : found;
  };
  return {
    root: folder.root,
    read(path) {
      const found = look(path);
      return found === undefined || Buffer.isBuffer(found) ? found : (found.bytes ?? folder.read(path));
    },
    digest(path) {
      const found = look(path);
      return Buffer.isBuffer(found) ? (seen.get(path)?.digest ?? digestOf(found)) : found?.digest;
    },
    list: (path) => folder.list(path),
  };
}

/** Longer files are hardly asked for by more than their digest. */
const bytesKeptMax = 16_384;

/** No clock of a file system is coarser. */
const tickMs = 2_000;

function stateOf({ dev, ino, size, mode, mtimeNs, ctimeNs }: BigIntStats): string {
  return [dev, ino, size, mode, mtimeNs, ctimeNs].join(" ");
}

function isSettled({ mtimeMs, ctimeMs }: BigIntStats, nowMs: number): boolean {
  const ageMs = nowMs - Number(mtimeMs > ctimeMs ? mtimeMs : ctimeMs);
  return ageMs > tickMs;
}
