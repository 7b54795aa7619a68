import { payloadShapes } from "../../model/index.ts";
import type { FieldModel, MethodModel, ServiceModel, Shape } from "../../model/service-model.ts";
import { linksFrom } from "./links.ts";
import { firstSentence } from "./prose.ts";
import { receiversOf } from "./snippets.ts";

/** An entry of the search: name, kind, link, description, other words for it. */
type Entry = readonly [name: string, kind: string, href: string, about: string, words: string];

/** A script that puts the index where the page's own script finds it: a page without a server may not fetch. */
export function searchIndex(model: ServiceModel): string {
  const entries = entriesOf(model).map((entry) => JSON.stringify(entry).replaceAll("<", "\\u003c"));
  return `globalThis.searchIndex = [\n${entries.join(",\n")},\n];\n`;
}

function entriesOf(model: ServiceModel): readonly Entry[] {
  const links = linksFrom(model, "");
  return [
    ...model.methods.map((method): Entry => [
      method.name,
      "operation",
      links.method(method.name),
      firstSentence(method.doc),
      [...new Set([...fieldNames(method), method.section ?? "", ...method.decisions])].join(" "),
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
    ...model.rules.map(({ id, doc }): Entry => [id, "rule", links.rule(id), firstSentence(doc), doc]),
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
  if (model.events.length === 0 || receiversOf(model).length === 0) return [];
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
