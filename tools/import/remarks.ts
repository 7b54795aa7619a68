import { isObject, memberOf, textOf, type Json } from "./json.ts";
import type { Remarks, Shape } from "./shape.ts";
import { keywordsOf, type Site } from "./sources.ts";
import { omitUndefined } from "../../conformance/base/omit-undefined.ts";
import type { StringFormat } from "../../generator/model/service-model.ts";
import { formatPatterns, isStringFormat } from "../../generator/print/string-formats.ts";

/** Annotations of a schema. `title` and what has no key in the spec language become `x-…` keys. */
export function remarksOf(site: Site): Remarks {
  const keywords = keywordsOf(site);
  const { deprecated, default: preset, examples } = keywords;
  const doc = textOf(site.value, "description");
  const title = textOf(site.value, "title");
  const comment = textOf(site.value, "$comment");
  const extensions: Record<string, Json> = omitUndefined({
    "x-title": title,
    "x-comment": comment,
    ...ownExtensions(site.value),
  });
  const example = Array.isArray(examples) ? examples[0] : memberOf(site.value, "example");
  return omitUndefined({
    doc,
    deprecated: deprecated === true ? "Deprecated." : undefined,
    default: preset,
    example,
    extensions: Object.keys(extensions).length === 0 ? undefined : extensions,
  });
}

/** The annotations of schemas that all hold: the first that says something counts. Parts of a schema have none. */
export function remarksOfAll(sites: readonly Site[]): Remarks {
  const whole = sites.filter(({ without }) => without === undefined).map(remarksOf);
  const joined: Remarks = Object.assign({}, ...whole.toReversed());
  const extensions = Object.assign({}, ...whole.toReversed().map((remarks) => remarks.extensions ?? {}));
  return Object.keys(extensions).length === 0 ? joined : { ...joined, extensions };
}

/** The `x-…` members of an object. */
export function ownExtensions(value: Json | undefined): Readonly<Record<string, Json>> {
  if (!isObject(value)) return {};
  const isOwn = (key: string): boolean => key === "x-format" && ownFormat(value) !== undefined;
  return Object.fromEntries(Object.entries(value).filter(([key]) => /^x-[a-z]/.test(key) && !isOwn(key)));
}

/** The shape with more remarks: those nearer to it win, extensions add up. */
export function withRemarks(shape: Shape, outer: Remarks): Shape {
  const extensions = { ...shape.extensions, ...outer.extensions };
  return {
    ...shape,
    ...outer,
    ...omitUndefined({ extensions: Object.keys(extensions).length === 0 ? undefined : extensions }),
  };
}

export function withExtension(shape: Shape, key: string, value: Json): Shape {
  return { ...shape, extensions: { ...shape.extensions, [key]: value } };
}

/** Keeps what was dropped from a shape beside it. */
export function withDropped(shape: Shape, dropped: Readonly<Record<string, Json>>): Shape {
  if (Object.keys(dropped).length === 0) return shape;
  const known = shape.extensions?.["x-dropped"];
  return withExtension(shape, "x-dropped", { ...(isObject(known) ? known : {}), ...dropped });
}

/** The format of a text in a document that this generator exported: `x-format` beside the pattern of that format. */
export function ownFormat(schema: Json | undefined): StringFormat | undefined {
  const format = textOf(schema, "x-format");
  if (format === undefined || !isStringFormat(format)) return undefined;
  return memberOf(schema, "pattern") === formatPatterns[format] ? format : undefined;
}
