import { createRequire } from "node:module";
import { join } from "node:path";

/** Lays out a text that is its author's from now on. Gives it as it is where the project has no style for it. */
export type ProjectStyle = (path: string, text: string) => Promise<string>;

/** What is used of Prettier, since its second version. */
interface Prettier {
  format(text: string, options: object): string | Promise<string>;
  resolveConfig(path: string, options: object): Promise<object | null>;
  getFileInfo(path: string, options: object): Promise<{ readonly ignored: boolean }>;
}

/**
 * The style of the project's own Prettier: it has to be installed there, and a config or `.editorconfig` has to be
 * about the file. Prettier itself reports a mistake in its config, so here it only means our layout.
 */
export function projectStyle(root: string): ProjectStyle {
  return async (path, text) => {
    const filepath = join(root, path);
    try {
      const prettier: Prettier = createRequire(join(root, "package.json"))("prettier");
      const config = await prettier.resolveConfig(filepath, { editorconfig: true, useCache: false });
      if (config === null) return text;
      const ignorePath = join(root, ".prettierignore");
      if ((await prettier.getFileInfo(filepath, { ignorePath })).ignored) return text;
      return await prettier.format(text, { ...config, filepath });
    } catch {
      return text;
    }
  };
}
