import { posix } from "node:path";
import type { ProjectFolder } from "../../generator/output/folder.ts";
import type { Guide } from "../../generator/targets/emitter.ts";

/** A picture of Markdown whose file is of the project. */
const picture = /!\[[^\]]*\]\(([^)\s:]+\.(?:png|webp|jpe?g|svg))\)/g;

/** Paths of the pictures that a guide shows, by how its text names them. */
export function pathsOfPictures({ path, text }: Guide): ReadonlyMap<string, string> {
  const hrefs = [...text.matchAll(picture)].map(([, href = ""]) => href);
  const paths = hrefs.map((href) => [href, posix.join(posix.dirname(path), href)] as const);
  return new Map(paths.filter(([, each]) => !each.startsWith("../")));
}

/** Guides that know where their pictures lie in a site, and the files of the pictures. */
export function withPictures(
  folder: ProjectFolder,
  guides: readonly Guide[],
): { readonly guides: readonly Guide[]; readonly files: ReadonlyMap<string, Uint8Array> } {
  const files = new Map<string, Uint8Array>();
  const placed = guides.map((guide) => {
    const pictures = new Map<string, string>();
    for (const [href, path] of pathsOfPictures(guide)) {
      const bytes = folder.read(path);
      if (bytes === undefined) continue;
      pictures.set(href, `assets/pictures/${path}`);
      files.set(`assets/pictures/${path}`, bytes);
    }
    return { ...guide, pictures };
  });
  return { guides: placed, files };
}
