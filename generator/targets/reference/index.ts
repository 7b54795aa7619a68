import { copyTemplate } from "../../print/template.ts";
import type { ServiceModel } from "../../model/service-model.ts";
import { partOf } from "../../protocols/parts.ts";
import type { Emitter, FileDraft } from "../emitter.ts";
import type { GuidePage } from "./guides.ts";
import { pageContexts, type PageContext } from "./page-context.ts";
import { pageText, type Page } from "./page.ts";
import { programsScript, type ProgramsByPage } from "./snippets.ts";
import { changesPage, decisionsPage, rulesPage } from "./pages/registers.ts";
import { errorsPage } from "./pages/errors.ts";
import { eventsPage } from "./pages/events.ts";
import { operationPage } from "./pages/operation.ts";
import { overviewPage } from "./pages/overview.ts";
import { statesPage } from "./pages/states.ts";
import { typesPage } from "./pages/types.ts";
import { searchScript } from "./search-index.ts";

/**
 * `reference/`: the interface as pages to read: a folder for any web server, or for a browser without one. They need
 * nothing from elsewhere, and read without scripts; the script adds the search.
 */
export const emitter: Emitter = {
  name: "reference",
  part: "reference",
  emit(model, layout) {
    const contextOf = pageContexts(model, layout);
    const programs = programsOf(contextOf(""));
    const files = { ...pagesOf(model, contextOf, programs), ...assetsOf(contextOf(""), programs) };
    return Object.entries(files).map(([path, text]): FileDraft => ({
      path: `${layout.out}/reference/${path}`,
      ownership: "owned",
      text,
    }));
  },
};

const frontPages: readonly ((context: PageContext) => Page | undefined)[] = [
  overviewPage,
  (context) => ({
    path: "authentication.html",
    title: "First call",
    current: "authentication",
    ...partOf(context.model, "reference").firstCall(context),
  }),
  typesPage,
  errorsPage,
  eventsPage,
  statesPage,
  rulesPage,
  decisionsPage,
  changesPage,
];

function programsOf({ model, shown }: PageContext): ProgramsByPage {
  const part = partOf(model, "reference");
  return new Map(model.methods.map((method) => [method.names.file, shown(part.programs(model, method))]));
}

function pagesOf(
  model: ServiceModel,
  contextOf: ReturnType<typeof pageContexts>,
  programs: ProgramsByPage,
): Readonly<Record<string, string>> {
  const files: Record<string, string> = {};
  for (const pageOf of frontPages) {
    const context = contextOf("");
    const page = pageOf(context);
    if (page !== undefined) files[page.path] = pageText(page, context);
  }
  for (const guide of contextOf("../").guides)
    files[guide.path] = pageText(guidePage(guide), contextOf("../"));
  for (const method of model.methods) {
    const context = contextOf("../");
    const page = operationPage(method, context, programs.get(method.names.file) ?? []);
    files[page.path] = pageText(page, context);
  }
  return files;
}

function guidePage({ path, title, sections, html }: GuidePage): Page {
  const [, ...others] = sections;
  const view = { html, sections: others, hasContents: others.length > 2 };
  return { path, title, template: "guide", current: path, view };
}

function assetsOf(context: PageContext, programs: ProgramsByPage): Readonly<Record<string, string>> {
  return {
    // The look of all pages, then what is these pages' own.
    "assets/style.css": ["../web/shared/tokens.css", "../web/shared/look.css", "reference/assets/style.css"]
      .map(copyTemplate)
      .join(""),
    "assets/reference.js": copyTemplate("reference/assets/reference.js"),
    "assets/try.js": copyTemplate("reference/assets/try.js"),
    "assets/icon.svg": copyTemplate("reference/assets/icon.svg"),
    "assets/search-index.js": searchScript(context),
    "assets/programs.js": programsScript(programs),
  };
}
