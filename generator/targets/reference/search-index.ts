import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { payloadShapes } from "../../model/index.ts";
import type { FieldModel, MethodModel, ServiceModel, Shape } from "../../model/service-model.ts";
import { partOf } from "../../protocols/parts.ts";
import { copyTemplate } from "../../print/template.ts";
import type { PageContext } from "./page-context.ts";
import { firstSentence } from "./prose.ts";

/** An entry of the search: name, kind, link, description, other words for it. */
type Entry = readonly [name: string, kind: string, href: string, about: string, words: string];

/** MiniSearch, the index, and the search: one script, because a page without a server may not fetch. */
export function searchScript(context: PageContext): string {
  const entries = [...guideEntries(context), ...entriesOf(context)].map((entry) =>
    JSON.stringify(entry).replaceAll("<", "\\u003c"),
  );
  return [
    readFileSync(
      join(createRequire(import.meta.url).resolve("minisearch"), "../../umd/index.js"),
      "utf8",
    ).replace(/\/\/# sourceMappingURL.*\n?/, ""),
    `globalThis.searchIndex = [\n${entries.join(",\n")},\n];\n`,
    copyTemplate("reference/assets/search.js"),
  ].join("");
}

/** The sections of the guides, and the pages that begin everything. */
function guideEntries({ model, guides, links }: PageContext): readonly Entry[] {
  const programs = partOf(model, "reference")
    .programs(model)
    .map(({ language }) => language)
    .join(" ");
  return [
    ...guides.flatMap(({ path, title, sections }) =>
      sections.map(({ name, anchor, words }, at): Entry => [
        name,
        "guide",
        at === 0 ? links.guide(path) : `${links.guide(path)}#${anchor}`,
        at === 0 ? firstSentence(words) : title,
        words,
      ]),
    ),
    [
      "First call",
      "guide",
      links.page("authentication"),
      "How a call is made, with whole programs.",
      `${programs} program example authentication getting started quickstart`,
    ],
    ["Errors", "page", links.page("errors"), "Every error code: when, and what to do.", "error codes status"],
  ];
}

function entriesOf({ model, links }: PageContext): readonly Entry[] {
  return [
    ...model.methods.map((method): Entry => [
      method.name,
      "operation",
      links.method(method.name),
      firstSentence(method.doc),
      [...new Set([...fieldNames(method), ...(method.paging === undefined ? [] : ["pagination"])])].join(" "),
    ]),
    ...model.types.map(({ name, doc, shape }): Entry => [
      name,
      "type",
      links.type(name),
      firstSentence(doc),
      wordsOf(shape).join(" "),
    ]),
    ...model.errors.map(({ code, condition, message, rpcCode }): Entry => [
      code,
      "error",
      links.error(code),
      condition,
      `${message} ${rpcCode}`,
    ]),
    ...model.events.map(({ name, doc }): Entry => [name, "event", links.event(name), firstSentence(doc), ""]),
    ...verification(model, links.page("events")),
    ...model.states.map(({ name, doc }): Entry => [
      name,
      "states",
      links.state(name),
      firstSentence(doc),
      "",
    ]),
    ...model.rules.map(({ id, doc }): Entry => [firstSentence(doc), "rule", links.rule(id), "", doc]),
    ...model.auth.map(({ name, doc }): Entry => [
      name,
      "authentication",
      links.page("authentication"),
      firstSentence(doc),
      "",
    ]),
  ];
}

function verification(model: ServiceModel, page: string): readonly Entry[] {
  if (model.events.length === 0 || partOf(model, "reference").receivers().length === 0) return [];
  const words = "webhook-id webhook-timestamp webhook-signature webhooks verification secret";
  return [["Verify a notification", "events", `${page}#verification`, "Programs that receive.", words]];
}

function fieldNames({ payload, result }: MethodModel): readonly string[] {
  const shapes = payloadShapes(payload);
  const objects = result.kind === "object" ? [...shapes, result] : shapes;
  return objects.flatMap(({ fields }) => fields.map(({ name }) => name));
}

function wordsOf(shape: Shape): readonly string[] {
  if (shape.kind === "enum") return shape.values.map(({ value }) => String(value));
  if (shape.kind === "array") return wordsOf(shape.items);
  return shape.kind === "object" ? shape.fields.map(({ name }: FieldModel) => name) : [];
}
