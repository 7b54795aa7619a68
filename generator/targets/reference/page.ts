import { fillPage } from "../../print/template.ts";
import type { PageContext } from "./page-context.ts";

/** A page before its frame: which template shows which view. */
export interface Page {
  /** Below the folder of the site: `operations/get-account.html`. */
  readonly path: string;
  readonly title: string;
  /** Its description for search engines. If it is absent, they show that of the interface. */
  readonly about?: string;
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
    isVersioned: context.isVersioned,
    name: model.name,
    interfaceTitle: model.title,
    revision: model.revision,
    title: page.title,
    description: page.about ?? model.doc.trim(),
    groups: [...pageGroups(context, page.current), ...operationGroups(context, page.current)],
    body,
  });
}

function pageGroups(context: PageContext, current: string) {
  const { model, links } = context;
  const start: readonly NavigationEntry[] = [
    ["index", "Overview", true],
    ["authentication", "First call", true],
  ];
  const guides = context.guides.map(({ path, title }) => ({
    href: links.guide(path),
    label: title,
    isCurrent: path === current,
  }));
  const reference: readonly NavigationEntry[] = [
    ["types", "Types", model.types.length > 0],
    ["errors", "Errors", true],
    ["events", "Events", model.events.length > 0],
    ["states", "States", model.states.length > 0],
    ["rules", "Rules", model.rules.length > 0],
    ["decisions", "Clarifications", context.explained.size > 0],
    ["changes", "Changes", true],
  ];
  const shown = (entries: readonly NavigationEntry[]) =>
    entries
      .filter(([, , isThere]) => isThere)
      .map(([name, label]) => ({ href: links.page(name), label, isCurrent: name === current }));
  return [
    { name: "Start", href: undefined, entries: [...shown(start), ...guides] },
    { name: "Reference", href: undefined, entries: shown(reference) },
  ];
}

type NavigationEntry = readonly [page: string, label: string, isThere: boolean];

function operationGroups({ model, links }: PageContext, current: string) {
  const groups = [...Map.groupBy(model.methods, ({ service }) => service)];
  const areAllListed = model.methods.length <= listedMax;
  if (groups.length > listedMax) return [];
  return groups.map(([service, methods]) => {
    const isListed =
      areAllListed || (methods.length <= listedMax && methods.some(({ name }) => name === current));
    return {
      name: service ?? "Operations",
      href: areAllListed ? undefined : links.service(service),
      entries: (isListed ? methods : []).map((method) => ({
        label: method.operation,
        href: links.method(method.name),
        isCurrent: method.name === current,
      })),
    };
  });
}
