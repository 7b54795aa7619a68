import { instanceOf, type SampleReading } from "../../../conformance/samples/index.ts";
import { payloadShapes, readingOf } from "../../model/index.ts";
import type { MethodModel, ServiceModel, Shape } from "../../model/service-model.ts";
import { layOut } from "../../print/layout.ts";
import { jsonLiteral, stringLiteral } from "../../print/literals.ts";
import { markdownCode, markdownText } from "../../print/markdown.ts";
import { fillTemplate } from "../../print/template.ts";
import { programLiteral } from "../../print/value-plans.ts";
import { isFilterOptional, overlapKey } from "./lists-module.ts";
import type { WantedEntries } from "../../protocols/protocol.ts";
import type { PagedList } from "./names.ts";

/** The name under which the client is published. */
export function packageName(model: ServiceModel): string {
  return `${model.name}-client`;
}

/** A revision as npm takes it: three numbers. */
export function packageVersion(revision: string): string {
  const [major = "0", minor = "0", patch = "0"] = revision.split(".");
  return [major, minor, patch].join(".");
}

/** The values that the README of every client shows first. */
export function headValues(model: ServiceModel) {
  return {
    packageName: packageName(model),
    title: markdownText(model.title),
    revision: model.revision,
    version: packageVersion(model.revision),
    summary: model.doc
      .trim()
      .split(/\n\s*\n/)
      .map(markdownText)
      .join("\n\n"),
  };
}

/** The parts that the READMEs of all clients have. */
export function commonParts(model: ServiceModel, { method, wanted, ...shown }: ShownCall) {
  const values = { ...headValues(model), ...shown, nameText: stringLiteral(method.name) };
  const part = (name: string) =>
    fillTemplate(`client/readme-${name}.md`, {
      ...values,
      fakeAnswer: fakeAnswer(method, model),
      schemasToo: wanted.zod ? `, and the schemas of \`${packageName(model)}/schemas\`` : "",
    });
  return { install: part("install"), logs: part("logs"), fakes: wanted.fakes ? part("fakes") : "" };
}

/** The call that a README shows. */
export interface ShownCall {
  readonly method: MethodModel;
  /** `account.get({ … })` */
  readonly call: string;
  /** What makes a client: `new LedgerClient`. */
  readonly make: string;
  /** Its options, in lines that end with a comma. */
  readonly options: string;
  readonly fake: string;
  /** An error that a fake service refuses it with, as a literal. */
  readonly refused: string;
  readonly wanted: WantedEntries;
}

/** How a list is read, where there is one. */
export function listsPart([list]: readonly PagedList[], model: ServiceModel): string {
  if (list === undefined) return "";
  return fillTemplate("client/readme-lists.md", {
    promise: listPromise(list, model),
    name: list.name,
    filter: filterText(list, model),
  });
}

/** What a list promises where it changes while it is read. */
function listPromise(list: PagedList, model: ServiceModel): string {
  if (list.paging.cursor !== undefined) return "Each page is fetched with the cursor of the page before.";
  return overlapKey(list, model) === undefined
    ? "Items that move while a list is read may be skipped or come twice."
    : "Every item comes\nexactly once, even if the list changes meanwhile.";
}

/** The literal of an example of what narrows a list. */
function filterText(list: PagedList, model: ServiceModel): string {
  const { method, paging } = list;
  const { page, cursor, size, filter = "" } = paging;
  const { payload } = method;
  const field = payload.kind === "single" && payload.shape.fields.find(({ name }) => name === filter);
  if (field && field.example !== undefined) return literal({ [filter]: field.example });
  if (isFilterOptional(list)) return "";
  const members = Object.entries(Object(exampleOf(method, model).payload));
  return literal(Object.fromEntries(members.filter(([name]) => ![page, cursor, size].includes(name))));
}

/** Code in a cell of a table. */
export function cell(text: string): string {
  return markdownCode(text).replaceAll("|", "\\|");
}

/** The setting of a fake for a method that no example answers; empty where no value of its result is known. */
function fakeAnswer({ name, examples, result }: MethodModel, model: ServiceModel): string {
  if (examples.some((example) => example.result !== undefined)) return "";
  const answer = smallest(result, model, "response");
  if (answer === undefined) return "";
  const value = layOut(programLiteral(answer, result, model));
  return `\nfake.answer(${stringLiteral(name)}, () => (${value}));`;
}

/** A payload that an example shows, or the smallest one that fits. */
export function exampleOf(
  { examples, payload }: MethodModel,
  model: ServiceModel,
): { readonly payload: unknown } {
  const shown = examples.find(({ result }) => result !== undefined);
  if (shown !== undefined) return shown;
  const [shape] = payloadShapes(payload);
  return { payload: shape === undefined ? {} : smallest(shape, model) };
}

/** The smallest value that fits, with the examples of its fields. */
export function smallest(
  shape: Shape,
  model: ServiceModel,
  direction: SampleReading["direction"] = "request",
): unknown {
  return instanceOf(
    shape,
    "minimal",
    readingOf(model, direction, ({ example }) => example),
  );
}

export function literal(value: unknown): string {
  return layOut(jsonLiteral(value));
}
