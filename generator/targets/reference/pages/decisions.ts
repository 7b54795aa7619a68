import { anchor } from "../links.ts";
import { decisionTexts, type PageContext } from "../page-context.ts";
import type { Page } from "../page.ts";
import { prose } from "../prose.ts";

/** `decisions.html`: what settles what the document leaves open, and what rests on it. */
export function decisionsPage(context: PageContext): Page | undefined {
  const { model, links } = context;
  const texts = decisionTexts(model);
  if (texts.size === 0) return undefined;
  const resting = [
    ...model.methods.map(({ name, decisions }) => ({ name, decisions, href: links.method(name) })),
    ...model.types.map(({ name, decisions }) => ({ name, decisions, href: links.type(name) })),
    ...model.errors.map(({ code, decisions }) => ({ name: code, decisions, href: links.error(code) })),
    ...model.events.map(({ name, decisions }) => ({ name, decisions, href: links.event(name) })),
    ...model.states.map(({ name, decisions }) => ({ name, decisions, href: links.state(name) })),
    ...model.rules.map(({ id, decisions }) => ({ name: "a rule", decisions, href: links.rule(id) })),
  ];
  return {
    path: "decisions.html",
    title: "Clarifications",
    template: "decisions",
    current: "decisions",
    view: {
      decisions: [...texts].map(([id, text]) => ({
        anchor: anchor(id),
        doc: prose(text),
        resting: resting.filter(({ decisions }) => decisions.includes(id)),
      })),
    },
  };
}
