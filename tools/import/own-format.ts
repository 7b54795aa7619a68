import type { StringFormat } from "../../generator/model/service-model.ts";
import { formatPatterns, isStringFormat } from "../../generator/print/string-formats.ts";
import { memberOf, textOf, type Json } from "./json.ts";

/** The format of a text in a document that this generator exported: `x-format` beside the pattern of that format. */
export function ownFormat(schema: Json | undefined): StringFormat | undefined {
  const format = textOf(schema, "x-format");
  if (format === undefined || !isStringFormat(format)) return undefined;
  return memberOf(schema, "pattern") === formatPatterns[format] ? format : undefined;
}
