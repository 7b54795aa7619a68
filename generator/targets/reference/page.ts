import { omitUndefined } from "../../../conformance/omit-undefined.ts";
import { fillPage } from "../../print/html-template.ts";
import type { PageContext } from "./page-context.ts";

/** A page before its frame: which template shows which view. */
export interface Page {
  /** Below the folder of the site: `operations/get-account.html`. */
  readonly path: string;
  readonly title: string;
  /** Of `templates/reference/pages`. */
  readonly template: string;
  readonly view: object;
  /** The entry of the navigation that it belongs to. */
  readonly current: string;
}

/** Parts of a page, each filled by itself and in its turn: what one shows leaves less room for the next. */
export function pageParts(template: string, views: readonly object[]): string {
  return views
    .map((view) => fillPage(`pages/${template}`, view))
    .join("")
    .replace(/\n$/, "");
}

/** More operations than this are not listed on every page: a page has those of its service, the front page all. */
const listedMax = 80;

/** The text of a page within the frame that all pages have. */
export function pageText(page: Page, context: PageContext): string {
  const { model, root } = context;
  const body = fillPage(`pages/${page.template}`, { ...page.view, root });
  return fillPage("frame", {
    root,
    name: model.name,
    interfaceTitle: model.title,
    revision: model.revision,
    title: page.title,
    description: model.doc.trim(),
    pages: navigation(context, page.current),
    services: operations(context, page.current),
    body,
  });
}

function navigation(context: PageContext, current: string) {
  const { model, links } = context;
  const entries: readonly (readonly [string, string, boolean])[] = [
    ["index", "Overview", true],
    ["authentication", "Authentication", true],
    ["types", "Types", model.types.length > 0],
    ["errors", "Errors", true],
    ["events", "Events", model.events.length > 0],
    ["states", "States", model.states.length > 0],
    ["rules", "Rules", model.rules.length > 0],
    ["decisions", "Decisions", context.explained.size > 0],
    ["changes", "Changes", true],
  ];
  return entries
    .filter(([, , isThere]) => isThere)
    .map(([name, label]) => ({ href: links.page(name), label, isCurrent: name === current }));
}

function operations({ model, links }: PageContext, current: string) {
  const groups = [...Map.groupBy(model.methods, ({ service }) => service)];
  const areAllListed = model.methods.length <= listedMax;
  if (groups.length > listedMax) return [];
  return groups.map(([service, methods]) => {
    const isListed =
      areAllListed || (methods.length <= listedMax && methods.some(({ name }) => name === current));
    return omitUndefined({
      name: service ?? "Operations",
      href: areAllListed ? undefined : links.service(service),
      operations: (isListed ? methods : []).map((method) => ({
        name: method.operation,
        href: links.method(method.name),
        isCurrent: method.name === current,
      })),
    });
  });
}
