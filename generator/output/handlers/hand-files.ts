import type { EmitLayout } from "../../targets/emitter.ts";
import { oncePer } from "../../language/source/once-per.ts";
import { digestOf } from "../digest.ts";
import type { ProjectFolder } from "../folder.ts";
import { formatText } from "../format.ts";

/** The folder, below that of the handlers, where those go whose method is gone. */
export const orphanedFolder = "_orphaned";

/** The files of the handlers folder as the run found them, by path. Those that were set aside are not among them. */
export type HandFiles = ReadonlyMap<string, Buffer>;

/** The text of a file. A watch finds most files as they were, in the same bytes. */
export const textOfFile = oncePer((bytes: Buffer) => bytes.toString());

/** Its SHA-256, in hexadecimal. */
export const digestOfFile = oncePer((bytes: Buffer) => digestOf(bytes));

/** Stubs that a project's own formatter laid out, as the generator prints them. */
const printed = new WeakMap<Buffer, string>();

/** The text of a file; that of an unwritten stub is laid out as the generator prints it, once it was recognized. */
export function textOfStub(bytes: Buffer): string {
  return printed.get(bytes) ?? textOfFile(bytes);
}

/** SHA-256 of that text, in hexadecimal. */
export function digestOfStub(bytes: Buffer): string {
  const text = printed.get(bytes);
  return text === undefined ? digestOfFile(bytes) : digestOf(text);
}

/** Recognizes stubs in another layout than `known`, the digests of stubs as they are printed. */
export async function recognizeStubs(files: HandFiles, known: ReadonlySet<string>): Promise<void> {
  for (const [path, bytes] of files) {
    if (printed.has(bytes) || known.has(digestOfFile(bytes))) continue;
    const text = textOfFile(bytes);
    if (!path.endsWith(".ts") || !text.includes("unimplemented(")) continue;
    // A file that does not parse is somebody's work.
    printed.set(bytes, await formatText(path, text).catch(() => text));
  }
}

export function readHandFiles(folder: ProjectFolder, { handlers }: EmitLayout): HandFiles {
  const files = new Map<string, Buffer>();
  for (const path of folder.list(handlers)) {
    if (path.startsWith(`${handlers}/${orphanedFolder}/`)) continue;
    const bytes = folder.read(path);
    if (bytes !== undefined) files.set(path, bytes);
  }
  return files;
}
