import { anchor } from "../links.ts";
import type { PageContext } from "../page-context.ts";
import type { Page } from "../page.ts";

/** `rules.html`: what binds and is no field, value or error. */
export function rulesPage(context: PageContext): Page | undefined {
  const { model } = context;
  if (model.rules.length === 0) return undefined;
  return {
    path: "rules.html",
    title: "Rules",
    template: "rules",
    current: "rules",
    view: {
      rules: model.rules.map((rule) => ({
        ...context.remarks(rule),
        anchor: anchor(rule.id),
      })),
    },
  };
}
