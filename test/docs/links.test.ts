import { existsSync, globSync, readFileSync, statSync } from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import { describe, expect, test } from "vitest";

const root = join(import.meta.dirname, "../..");
const pages = globSync(["*.md", "docs/**/*.md"], { cwd: root }).map((file) => file.replaceAll("\\", "/"));

describe("documents", () => {
  test.each(pages)("%s links to what is there", (page) => {
    const missing = linksOf(page).filter((link) => !isThere(page, link));
    expect(missing).toEqual([]);
  });

  test("the index lists every page", () => {
    const listed = new Set(linksOf("docs/README.md").map((link) => link.split("#")[0]));
    const missing = pages
      .filter((page) => page.startsWith("docs/") && page !== "docs/README.md")
      .map((page) => relative("docs", page))
      .filter((page) => !listed.has(page));
    expect(missing).toEqual([]);
  });

  test("show every image, and say by which command it is made anew", () => {
    const texts = pages.map(textOf).join("\n");
    const images = globSync("docs/images/*", { cwd: root }).map((file) => file.replaceAll("\\", "/"));
    expect(images.length).toBeGreaterThan(1);
    expect(images.filter((image) => !texts.includes(`images/${basename(image)})`))).toEqual([]);
    const madeBy = (image: string): string =>
      image.endsWith(".webp") ? "npm run pictures" : `--svg ${image}`;
    expect(images.filter((image) => !texts.includes(madeBy(image)))).toEqual([]);
  });

  test("name only scripts that package.json has", () => {
    const { scripts } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
    const current = pages.filter((page) => page !== "CHANGELOG.md");
    const named = current.flatMap((page) =>
      [...textOf(page).matchAll(/npm run (?:-s )?([a-z][\w:-]*)/g)].map(([, name = ""]) => name),
    );
    expect(named.length).toBeGreaterThan(20);
    // The command of a project that a guide makes.
    const known = new Set([...Object.keys(scripts), "payments-server"]);
    expect(named.filter((name) => !known.has(name))).toEqual([]);
  });
});

/** Targets of the links of a page, those to other hosts aside; code is no link. */
function linksOf(page: string): readonly string[] {
  const prose = textOf(page)
    .replaceAll(/^ *```.*?^ *```/gms, "")
    .replaceAll(/`[^`\n]*`/g, "");
  const found = prose.matchAll(/\]\(([^)\s]+)\)/g);
  return [...found].map(([, target = ""]) => target).filter((target) => !/^(?:https?|mailto):/.test(target));
}

function isThere(page: string, link: string): boolean {
  const [path = "", anchor] = link.split("#");
  const file = path === "" ? page : join(dirname(page), path);
  if (!existsSync(join(root, file))) return false;
  return anchor === undefined || statSync(join(root, file)).isDirectory() || anchorsOf(file).includes(anchor);
}

/** The anchors that hosts of Markdown make of a page's headings. */
function anchorsOf(page: string): readonly string[] {
  return [...textOf(page).matchAll(/^#{1,6} (.+)$/gm)].map(([, heading = ""]) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, "")
      .replaceAll(" ", "-"),
  );
}

function textOf(page: string): string {
  return readFileSync(join(root, page), "utf8");
}
