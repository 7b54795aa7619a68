import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { format } from "prettier";
import { formatText, printWidth } from "../../generator/output/format.ts";

/** The files that Prettier would print differently, but for unions that do not fit their line. */
export async function unlikePrettier(root: string, folders: readonly string[]): Promise<readonly string[]> {
  const different: string[] = [];
  for (const path of globSync(
    folders.map((folder) => `${folder}/**/*.{ts,js,json}`),
    { cwd: root },
  )) {
    const text = readFileSync(join(root, path), "utf8");
    const printed = await format(text, { filepath: path, printWidth });
    if ((await formatText(path, printed)) !== text) different.push(path);
  }
  return different;
}
