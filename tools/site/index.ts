import type { ServiceModel } from "../../generator/model/index.ts";
import { emitter as reference } from "../../generator/targets/reference/index.ts";
import type { Guide } from "../../generator/targets/emitter.ts";
import { downloadsOf } from "./downloads.ts";

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
