import { setFlagsFromString } from "node:v8";

/**
 * Keeps the heap near the size of what is in use, for a run that ends soon: else it grows to several times as much before
 * anything is collected. Both flags are read each time the heap might grow. Other engines than the one that this was
 * measured on keep their own ways: they might not know a flag, and say so.
 */
export function keepHeapSmall(): void {
  if (!process.versions.v8.startsWith("13.")) return;
  setFlagsFromString("--semi-space-growth-factor=1");
  setFlagsFromString("--heap-growing-percent=40");
}
