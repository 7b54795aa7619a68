import { diffModels } from "../../../diff/index.ts";
import type { PageContext } from "../page-context.ts";
import type { Page } from "../page.ts";

/** `changes.html`: what changed since each earlier revision that is still served, and what is deprecated. */
export function changesPage(context: PageContext): Page {
  const { model, links } = context;
  const revisions = (model.serves ?? []).toReversed().map(({ model: earlier }) => ({
    revision: earlier.revision,
    changes: diffModels(earlier, model).map((change) => ({
      path: change.path,
      summary: change.summary,
      severity: change.severity,
      consequences: change.impacts.map(({ party, consequence }) => `${party}: ${consequence}`),
    })),
  }));
  const deprecated = [
    ...model.methods.map(({ name, deprecated }) => ({ name, deprecated, href: links.method(name) })),
    ...model.types.map(({ name, deprecated }) => ({ name, deprecated, href: links.type(name) })),
  ].filter((thing) => thing.deprecated !== undefined);
  return {
    path: "changes.html",
    title: "Changes",
    template: "changes",
    current: "changes",
    view: { revision: model.revision, revisions, deprecated },
  };
}
