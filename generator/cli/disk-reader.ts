import type { ReadFolder } from "../model/index.ts";
import { projectFolder, type ProjectFolder } from "../output/folder.ts";
import { sourceText } from "../language/source/index.ts";
import type { Guide } from "../targets/emitter.ts";
import type { SpecTarget } from "./config.ts";

/** The texts of the guides that a config names for a spec. */
export function readGuides(folder: ProjectFolder, { guides = [] }: SpecTarget): readonly Guide[] {
  return guides.map((path) => ({ path, text: folder.read(path)?.toString() ?? "" }));
}

/** Reads the YAML files of a spec's folder from the disk; undefined where there are none. */
export function diskReader(root: string): ReadFolder {
  const folder = projectFolder(root);
  return (path) => {
    const files = folder.list(path).filter((file) => file.endsWith(".yaml"));
    return files.length === 0
      ? undefined
      : files.map((file) => sourceText(file, folder.read(file)?.toString() ?? ""));
  };
}
