import type { JsonSchema } from "../../print/json-schema/json-schema.ts";
import { jsonLiteral } from "../../print/literals.ts";
import { separated, type Printable } from "../../print/layout.ts";
import type { ZodContext } from "./zod-context.ts";

/** Prints a schema inside. */
type Print = (schema: JsonSchema, context: ZodContext) => Printable;

/** The rules over several properties of an object, as calls of the functions of ./rule-functions.ts. */
export function ruleCalls(schema: JsonSchema, context: ZodContext, print: Print): readonly Printable[] {
  const { allOf, anyOf, oneOf, if: condition, then: consequence } = schema;
  return [
    ...(anyOf === undefined ? [] : [groupCall("atLeastOneOf", "fitsAnyOf", anyOf, context, print)]),
    ...(oneOf === undefined ? [] : [groupCall("exactlyOneOf", "fitsExactlyOne", oneOf, context, print)]),
    ...(condition === undefined || consequence === undefined
      ? []
      : [conditionCall(condition, consequence, context)]),
    ...(allOf ?? []).flatMap((part) => ruleCalls(part, context, print)),
  ];
}

/** A rule over the names of members where the options ask for nothing else, or over whole options. */
function groupCall(
  ofNames: string,
  ofOptions: string,
  options: readonly JsonSchema[],
  context: ZodContext,
  print: Print,
): Printable {
  const isGroup = options.every((option) => Object.keys(option).join() === "required");
  if (isGroup) return call(ofNames, options.flatMap(namesRequired).map(jsonLiteral), context);
  const objects = options.map((option) => print({ ...option, type: "object" }, context));
  return call(ofOptions, objects, context);
}

function conditionCall(condition: JsonSchema, consequence: JsonSchema, context: ZodContext): Printable {
  const [[sibling, { enum: values = [] }] = ["", {}]] = Object.entries(condition.properties ?? {});
  const nonEmpty = Object.keys(consequence.properties ?? {});
  return call(
    "requiredWhen",
    [
      jsonLiteral(sibling),
      jsonLiteral(values),
      jsonLiteral(namesRequired(consequence)),
      ...(nonEmpty.length === 0 ? [] : [jsonLiteral(nonEmpty)]),
    ],
    context,
  );
}

function namesRequired(schema: JsonSchema): readonly string[] {
  return schema.required ?? [];
}

function call(rule: string, parameters: readonly Printable[], context: ZodContext): Printable {
  return [context.rule(rule), "(", separated(", ", parameters), ")"];
}
