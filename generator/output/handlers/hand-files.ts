import type { EmitLayout } from "../../targets/emitter.ts";
import { oncePer } from "../../language/source/once-per.ts";
import { digestOf } from "../digest.ts";
import type { ProjectFolder } from "../folder.ts";

/** The folder, below that of the handlers, where those go whose method is gone. */
export const orphanedFolder = "_orphaned";

/** The files of the handlers folder as the run found them, by path. Those that were set aside are not among them. */
export type HandFiles = ReadonlyMap<string, Buffer>;

/** The text of a file. A watch finds most files as they were, in the same bytes. */
export const textOfFile = oncePer((bytes: Buffer) => bytes.toString());

/** Its SHA-256, in hexadecimal. */
export const digestOfFile = oncePer((bytes: Buffer) => digestOf(bytes));

export function readHandFiles(folder: ProjectFolder, { handlers }: EmitLayout): HandFiles {
  const files = new Map<string, Buffer>();
  for (const path of folder.list(handlers)) {
    if (path.startsWith(`${handlers}/${orphanedFolder}/`)) continue;
    const bytes = folder.read(path);
    if (bytes !== undefined) files.set(path, bytes);
  }
  return files;
}
