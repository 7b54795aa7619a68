import { diagnosticOf, type Diagnostic } from "../../language/diagnostics/index.ts";
import type { EmitLayout } from "../../targets/emitter.ts";
import { digestOf } from "../digest.ts";
import type { AsideFile } from "../planned-file.ts";
import { orphanedFolder, type HandFiles } from "./hand-files.ts";
import { modulePath } from "./import-splices.ts";
import type { OrphanHandler } from "./orphan-handlers.ts";

export interface OrphanArchive {
  readonly files: readonly AsideFile[];
  readonly diagnostics: readonly Diagnostic[];
  /** The orphans that stay where they are: something else still imports them. */
  readonly left: readonly OrphanHandler[];
}

/** Plans to move handler files whose method is gone out of the way: as they are, over nothing. */
export function archiveOrphans(
  orphans: readonly OrphanHandler[],
  {
    files,
    layout,
    taken,
  }: {
    /** Those that people wrote. */
    readonly files: HandFiles;
    readonly layout: EmitLayout;
    /** Paths at which there is a file already. */
    readonly taken: ReadonlySet<string>;
  },
): OrphanArchive {
  const stay = stillImported(orphans, files);
  const left = orphans.filter(({ path }) => stay.has(path));
  const aside = orphans
    .filter(({ path }) => !stay.has(path))
    .flatMap(({ path }): readonly AsideFile[] => {
      const bytes = files.get(path);
      if (bytes === undefined) return [];
      const below = path.slice(layout.handlers.length + 1);
      return [
        {
          kind: "aside",
          path: freePath(`${layout.handlers}/${orphanedFolder}/${below}`, taken),
          from: path,
          before: bytes.toString(),
          read: digestOf(bytes),
        },
      ];
    });
  const kept = left.map(({ path }) =>
    diagnosticOf("orphan-imported", { importer: stay.get(path) ?? "" }, { path }),
  );
  return { files: aside, diagnostics: kept, left };
}

function freePath(path: string, taken: ReadonlySet<string>): string {
  const isTaken = (each: string): boolean => taken.has(each.toLowerCase());
  for (let count = 2, free = path; ; count += 1) {
    if (!isTaken(free)) return free;
    free = path.replace(/\.ts$/, `.${count}.ts`);
  }
}

const relativeModule = /["'`](\.\.?\/[^"'`\n]+)["'`]/g;

/** By path, a file that imports it: one that stays, or an orphan that stays for the same reason. */
function stillImported(orphans: readonly OrphanHandler[], files: HandFiles): ReadonlyMap<string, string> {
  const leaving = new Set(orphans.map(({ path }) => path));
  const staying = new Map<string, string>();
  for (let before = -1; before !== staying.size;) {
    before = staying.size;
    for (const [path, bytes] of files) {
      if (leaving.has(path) && !staying.has(path)) continue;
      for (const [, specifier = ""] of bytes.toString().matchAll(relativeModule)) {
        const module = modulePath(path, specifier);
        if (leaving.has(module) && !staying.has(module)) staying.set(module, path);
      }
    }
  }
  return staying;
}
