import { mkdirSync, mkdtempSync } from "node:fs";
import { join } from "node:path";

const caches = join(import.meta.dirname, "../.cache");

/** Makes a folder whose modules find the installed packages. Node strips no types below `node_modules` itself. */
export function cachedFolder(prefix: string): string {
  mkdirSync(caches, { recursive: true });
  return mkdtempSync(join(caches, prefix));
}
