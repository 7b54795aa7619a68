import type { Documented, FieldModel, TypeModel } from "../../model/service-model.ts";
import { omitUndefined } from "../../../conformance/base/omit-undefined.ts";
import type { JsonSchema } from "./keywords.ts";

/** Title, description, section, deprecation and examples as keywords that constrain nothing. */
export function annotationsOf(thing: Documented | FieldModel): JsonSchema {
  const sentences = [
    thing.doc,
    ...(thing.deprecated === undefined ? [] : [`Deprecated: ${thing.deprecated}`]),
  ].filter((sentence) => sentence !== "");
  return omitUndefined({
    title: "label" in thing ? thing.label : undefined,
    description: sentences.length === 0 ? undefined : sentences.join("\n\n"),
    deprecated: thing.deprecated === undefined ? undefined : (true as const),
    "x-section": thing.section,
    "x-decisions": thing.decisions.length === 0 ? undefined : thing.decisions,
    "x-since": thing.since,
    "x-sensitive": "sensitive" in thing && thing.sensitive ? (true as const) : undefined,
    examples: "example" in thing && thing.example !== undefined ? [thing.example] : undefined,
    ...extensionKeywords(thing),
  });
}

/** The spec's own `x-…` keys; `x-title` is the keyword `title`, as `label` is for fields. */
function extensionKeywords({ extensions = {} }: Documented): JsonSchema {
  const { "x-title": title, ...others } = extensions;
  return typeof title === "string" ? { title, ...others } : extensions;
}

/** The documents of a type. The meaning of each enum value has no keyword of its own, so it joins the description. */
export function typeDocs(type: TypeModel): Documented {
  const { example: _example, ...documented } = type;
  if (type.shape.kind !== "enum" || type.shape.values.every(({ doc }) => doc === "")) return documented;
  const values = type.shape.values.map(({ value, doc }) =>
    doc === "" ? `- \`${value}\`` : `- \`${value}\`: ${doc}`,
  );
  return { ...documented, doc: [type.doc, values.join("\n")].filter((part) => part !== "").join("\n\n") };
}
