import { statSync } from "node:fs";
import { join } from "node:path";
import { setFlagsFromString } from "node:v8";
import { projectFolder } from "../output/index.ts";

/** Specs of this size and less take so little memory that it is not worth the time of collecting it early. */
const smallSpecBytes = 750_000;

/** The formatter's allocator, mimalloc, reads these when the formatter is loaded, and then gives back at once what it has freed. */
export function keepFormatterSmall(): void {
  process.env["MIMALLOC_PURGE_DELAY"] ??= "0";
  process.env["MIMALLOC_ARENA_EAGER_COMMIT"] ??= "0";
}

/**
 * Keeps memory near the size of what is in use, for a run over a large spec that ends soon. Else the heap grows to several times
 * as much before anything is collected: both flags are read each time it might grow. Other engines than the one that this was
 * measured on keep their own ways: they might not know a flag, and say so.
 */
export function keepHeapSmall(root: string, spec: string): void {
  if (!process.versions.v8.startsWith("13.")) return;
  if (bytesBelow(root, spec) <= smallSpecBytes) return;
  setFlagsFromString("--semi-space-growth-factor=1");
  setFlagsFromString("--heap-growing-percent=30");
}

/** The size of the files below a folder of the project; throws `UnreadableFile`. */
function bytesBelow(root: string, folder: string): number {
  const sizes = projectFolder(root)
    .list(folder)
    .map((path) => statSync(join(root, path), { throwIfNoEntry: false })?.size ?? 0);
  return sizes.reduce((sum, size) => sum + size, 0);
}
