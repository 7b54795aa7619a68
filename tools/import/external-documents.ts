import { existsSync, realpathSync, statSync } from "node:fs";
import { join, sep } from "node:path";
import type { ReadExternal } from "./index.ts";
import { readDocumentFile } from "./read-document.ts";

/** Where the documents are whose addresses begin with a prefix. */
export interface ReferenceFolder {
  readonly prefix: string;
  /** Absolute. */
  readonly folder: string;
}

const bytesMax = 32 * 1024 * 1024;

/** Reads what `$ref` names from the folders given, and nothing outside them, be it by `..` or by a symbolic link. */
export function externalReader(folders: readonly ReferenceFolder[]): ReadExternal {
  const longestFirst = folders.toSorted((a, b) => b.prefix.length - a.prefix.length);
  return (uri) => {
    const known = longestFirst.find(({ prefix }) => uri.startsWith(prefix));
    const shown = JSON.stringify(uri.slice(0, 80));
    if (known === undefined) {
      return {
        problem: `it refers to another document, ${shown}: say where it is, \`--ref <prefix>=<folder>\``,
      };
    }
    const path = join(known.folder, decoded(uri.slice(known.prefix.length)));
    if (path.includes("\0") || !existsSync(path))
      return { problem: `${shown} is not in the folder given for \`${known.prefix}\`` };
    const real = realpathSync(path);
    if (!real.startsWith(realpathSync(known.folder) + sep)) {
      return { problem: `${shown} leads out of the folder given for \`${known.prefix}\`` };
    }
    if (!statSync(real).isFile() || statSync(real).size > bytesMax)
      return { problem: `${shown} is no file of at most 32 MiB` };
    const read = readDocumentFile(real);
    return "problem" in read
      ? { problem: `${shown} cannot be read: ${read.problem}` }
      : { uri, document: read.value };
  };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
