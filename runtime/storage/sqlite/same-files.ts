import { statSync, type Stats } from "node:fs";
import { UnavailableError } from "../../ports/index.ts";

/**
 * Watches that the database and its log are still the files that were opened: what is written to a file that was
 * removed or replaced would be acknowledged and lost. The result throws an `UnavailableError` once they are not.
 */
export function createSameFiles(file: string): () => void {
  const names = [file, `${file}-wal`];
  const opened = new Map<string, Stats>();

  return () => {
    for (const name of names) {
      const now = statusOf(name);
      const before = opened.get(name);
      if (before === undefined) {
        if (now !== undefined) opened.set(name, now);
      } else if (now?.ino !== before.ino || now.dev !== before.dev) {
        throw new UnavailableError("file-replaced", { cause: new Error(`${name} is not the file it was`) });
      }
    }
  };
}

function statusOf(name: string): Stats | undefined {
  try {
    return statSync(name, { throwIfNoEntry: false });
  } catch (cause) {
    throw new UnavailableError("disk-fault", { cause });
  }
}
