import { posix } from "node:path";
import type { ServiceModel } from "../../generator/model/index.ts";
import type { ProjectFolder } from "../../generator/output/folder.ts";
import { hasPart } from "../../generator/protocols/parts.ts";
import type { Download, Emitter, Guide } from "../../generator/targets/emitter.ts";
import { emitter as openApi } from "../../generator/targets/openapi/index.ts";
import { emitter as openRpc } from "../../generator/targets/openrpc/index.ts";
import { emitter as reference } from "../../generator/targets/reference/index.ts";
import { collectionFormats } from "../collection/formats.ts";

export interface SiteOptions {
  /**
   * `tryPages`, for a site with the page that calls the service from a browser: the service itself then serves it. Passed in,
   * since it needs a compiler, which a clone's first start does without.
   */
  readonly tried?: (model: ServiceModel) => ReadonlyMap<string, string>;
  /** Shown beside the reference, in this order; none if absent. */
  readonly guides?: readonly Guide[];
  /** Whether `../versions.js` of the site links the pages of other revisions; not if absent. */
  readonly isVersioned?: boolean;
}

/** The reference pages of an interface as a site: texts by path. */
export function siteFiles(
  model: ServiceModel,
  { tried, guides = [], isVersioned = false }: SiteOptions = {},
): ReadonlyMap<string, string> {
  const prefix = "pages/reference/";
  const downloads = downloadsOf(model);
  const drafts = reference.emit(model, {
    out: "pages",
    handlers: "",
    contract: "",
    guides,
    downloads,
    isVersioned,
  });
  const pages = [
    ...drafts.map(({ path, text }) => [path.slice(prefix.length), text] as const),
    ...downloads.map(({ href, text }) => [href, text] as const),
  ];
  return new Map(tried ? [...pages, ...tried(model), ["assets/try.js", showLinks] as const] : pages);
}

/** In place of the script that removes the links to that page. From a disk no browser loads its modules. */
const showLinks =
  "for (const link of document.querySelectorAll('[data-try]')) link.hidden = location.protocol === 'file:';\n";

/** What the start page offers for other programs, each with its text. */
function downloadsOf(model: ServiceModel): readonly WithText[] {
  return [...documentsOf(model), ...(hasPart(model, "collection") ? collectionsOf(model) : [])];
}

interface WithText extends Download {
  readonly text: string;
}

function documentsOf(model: ServiceModel): readonly WithText[] {
  if (!hasPart(model, "documents")) return [];
  return [
    ...document(openApi, "openapi.json", "OpenAPI 3.1", "For generators of clients and for gateways.", model),
    ...document(openRpc, "openrpc.json", "OpenRPC", "For tools of JSON-RPC.", model),
  ];
}

function collectionsOf(model: ServiceModel): readonly WithText[] {
  const { bruno, postman } = collectionFormats;
  return [
    ...[...(postman?.(model, undefined) ?? [])].map(([path, text]) => ({
      href: `downloads/${path}`,
      name: "Postman collection",
      about: "Each operation as a request that signs itself.",
      text,
    })),
    {
      href: `downloads/${model.name}.bruno.tar`,
      name: "Bruno collection",
      about: "The same for Bruno: unpack it, then open the folder.",
      text: tarOf(bruno?.(model, undefined) ?? new Map()),
    },
  ];
}

function document(
  emitter: Emitter,
  file: string,
  name: string,
  about: string,
  model: ServiceModel,
): readonly WithText[] {
  const drafts = emitter.emit(model, { out: "downloads", handlers: "", contract: "" });
  return drafts
    .filter(({ path }) => path === `downloads/${file}`)
    .map(({ path, text }) => ({ href: path, name, about, text }));
}

const blockBytes = 512;

/** An archive of texts (POSIX pax). The same texts give the same archive: nothing in it has a time. */
function tarOf(files: ReadonlyMap<string, string>): string {
  return [...files].map(([path, text]) => entryOf(path, text)).join("") + "\0".repeat(2 * blockBytes);
}

/** A file: its header and text. A record before it has the path of one that is too long for the header. */
function entryOf(path: string, text: string): string {
  const folderEnd = path.lastIndexOf("/");
  const [prefix, name] = [path.slice(0, Math.max(folderEnd, 0)), path.slice(folderEnd + 1)];
  if (Buffer.byteLength(name) <= 100 && Buffer.byteLength(prefix) <= 155)
    return blocksOf({ name, prefix, text, type: "0" });
  return (
    blocksOf({ name: "path", prefix: "", text: recordOf(path), type: "x" }) +
    blocksOf({ name: "file", prefix: "", text, type: "0" })
  );
}

/** `27 path=…` and a line feed: the number counts all bytes of the record, its own digits included. */
function recordOf(path: string): string {
  const rest = ` path=${path}\n`;
  const bytes = Buffer.byteLength(rest);
  const digits = [1, 2, 3, 4, 5].find((count) => String(bytes + count).length === count) ?? 6;
  return `${bytes + digits}${rest}`;
}

interface Entry {
  readonly name: string;
  readonly prefix: string;
  readonly text: string;
  readonly type: "0" | "x";
}

function blocksOf({ name, prefix, text, type }: Entry): string {
  const bytes = Buffer.byteLength(text);
  const withSum = (sum: string): string =>
    field(
      [
        field(name, 100),
        octal(0o644, 7),
        octal(0, 7),
        octal(0, 7),
        octal(bytes, 11),
        octal(0, 11),
        sum,
        type,
        field("", 100),
        "ustar\u000000",
        field("", 80),
        field(prefix, 155),
      ].join(""),
      blockBytes,
    );
  const sum = Buffer.from(withSum(" ".repeat(8))).reduce((total, byte) => total + byte, 0);
  const header = withSum(`${sum.toString(8).padStart(6, "0")}\0 `);
  return header + text + "\0".repeat((blockBytes - (bytes % blockBytes)) % blockBytes);
}

function field(text: string, length: number): string {
  return text + "\0".repeat(length - Buffer.byteLength(text));
}

function octal(value: number, digits: number): string {
  return `${value.toString(8).padStart(digits, "0")}\0`;
}

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
