import { anchor, prose } from "../prose.ts";
import { decisionTexts, type PageContext } from "../page-context.ts";
import type { Page } from "../page.ts";
import { diffModels } from "../../../diff/index.ts";

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
        ...clarification(text, texts),
        resting: resting.filter(({ decisions }) => decisions.includes(id)),
      })),
    },
  };
}

/** A decision as it is told: its topic, and the answer, which names others by their topics. */
function clarification(text: string, texts: ReadonlyMap<string, string>) {
  const [topic, answer] = partsOf(text);
  const told = answer
    .replaceAll(/ ?\((?:see )?D-\d+(?:(?:, | and )D-\d+)*\)/g, "")
    .replaceAll(/\bD-\d+\b/g, (id) => {
      const [other] = partsOf(texts.get(id) ?? "");
      return other === "" ? "another clarification" : `“${other}”`;
    });
  return { topic, doc: prose(told) };
}

/** `topic | answer`; a text without a topic is an answer. */
function partsOf(text: string): readonly [topic: string, answer: string] {
  const at = text.indexOf(" | ");
  return at === -1 ? ["", text.trim()] : [text.slice(0, at).trim(), text.slice(at + 3).trim()];
}

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
