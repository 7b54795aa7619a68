import { cpSync, globSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, posix } from "node:path";
import { root } from "./folder.ts";

/** Files outside `docs/` that a package has, too, and that pages may link to. */
const beside = ["README.md", "SECURITY.md"];

/** The pages of `docs/` as a package has them, by path: what they link to is in the package, or is no link. */
export function packedPages(): ReadonlyMap<string, string> {
  const files = globSync("docs/**/*", { cwd: root }).map((file) => file.replaceAll("\\", "/"));
  const present = new Set([...files, ...beside]);
  const pages = files.filter((file) => file.endsWith(".md"));
  return new Map(
    pages.map((page) => {
      const text = readFileSync(join(root, page), "utf8");
      const linked = text.replaceAll(
        /\[([^\]\n]+)\]\(([^)\s]+)\)/g,
        (link, shown: string, target: string) => {
          const [path = ""] = target.split("#");
          const isThere =
            /^[a-z]+:/.test(target) || path === "" || present.has(posix.join(posix.dirname(page), path));
          return isThere ? link : shown;
        },
      );
      return [page, linked];
    }),
  );
}

/** Copies the docs, with their pictures, into the folder of a package. */
export function copyDocs(folder: string): void {
  cpSync(join(root, "docs"), join(folder, "docs"), { recursive: true });
  cpSync(join(root, "SECURITY.md"), join(folder, "SECURITY.md"));
  for (const [page, text] of packedPages()) {
    mkdirSync(dirname(join(folder, page)), { recursive: true });
    writeFileSync(join(folder, page), text);
  }
}
