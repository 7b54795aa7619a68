import { setFlagsFromString } from "node:v8";

/**
 * Keeps memory near the size of what is in use, for a run that ends soon. Else the heap grows to several times as much before
 * anything is collected: both flags are read each time it might grow. Other engines than the one that this was measured on
 * keep their own ways: they might not know a flag, and say so. The formatter's allocator, mimalloc, reads its two when the
 * formatter is loaded, and then gives back at once what it has freed.
 */
export function keepHeapSmall(): void {
  process.env["MIMALLOC_PURGE_DELAY"] ??= "0";
  process.env["MIMALLOC_ARENA_EAGER_COMMIT"] ??= "0";
  if (!process.versions.v8.startsWith("13.")) return;
  setFlagsFromString("--semi-space-growth-factor=1");
  setFlagsFromString("--heap-growing-percent=40");
}
