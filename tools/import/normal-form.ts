import { convertSchema } from "./convert.ts";
import { newOwner } from "./findings.ts";
import { type Conversion, followed, pick } from "./flatten.ts";
import { canonicalText } from "../../conformance/values/index.ts";
import { isObject, type Json, listOf, memberOf, textOf } from "./json.ts";
import { examplesOf } from "./method-examples.ts";
import { parametersOf } from "./methods.ts";
import { ownExtensions } from "./remarks.ts";
import { shapeDifference, type ShapeSide } from "./shape-difference.ts";
import type { Shape } from "./shape.ts";
import { inside, type ReadExternal, type Site, sourcesOf } from "./sources.ts";
import { createTypeTable } from "./type-table.ts";

/** The form in which a document and its re-export are compared. */
export interface ComparedDocument {
  readonly document: Json;
  readonly readExternal: ReadExternal;
}

/** The differences of one method or one named schema in the normal form of docs/import.md. */
export interface Difference {
  readonly name: string;
  readonly differences: readonly string[];
}

interface Side extends ShapeSide {
  readonly conversion: Conversion;
}

/** Compares all methods of an OpenRPC document with their re-export: of each, where it differs. */
export function methodDifferences(
  original: ComparedDocument,
  exported: ComparedDocument,
): readonly Difference[] {
  const [a, b] = [sideOf(original), sideOf(exported)];
  const found = new Map(methodSites(b).map((site) => [textOf(site.value, "name") ?? "", site]));
  return methodSites(a).map((site) => {
    const name = textOf(site.value, "name") ?? "";
    const other = found.get(name);
    return { name, differences: other === undefined ? ["it is missing"] : compareMethods(site, a, other, b) };
  });
}

/** Compares two schemas, each at a pointer of its document. */
export function schemaDifference(
  original: ComparedDocument & { readonly at: readonly string[] },
  exported: ComparedDocument & { readonly at: readonly string[] },
): string | undefined {
  const [a, b] = [sideOf(original), sideOf(exported)];
  return shapeDifference(shapeIn(a, original.at), a, shapeIn(b, exported.at), b);
}

function shapeIn({ conversion }: Side, at: readonly string[]): Shape {
  return convertSchema([inside(conversion.sources.root, ...at)], "Schema", newOwner(), conversion);
}

function sideOf({ document, readExternal }: ComparedDocument): Side {
  const types = createTypeTable();
  const conversion: Conversion = {
    sources: sourcesOf(document, readExternal),
    types,
    lossy: false,
    weakened: new Set(),
    budget: 200_000,
    depth: 0,
  };
  return {
    conversion,
    shapeOf: (name) => {
      const entry = types.named(name);
      if (entry === undefined) throw new Error(`there is no type ${name}`);
      entry.shape ??= convertSchema([entry.site], entry.name, entry, conversion);
      return entry.shape;
    },
  };
}

function methodSites({ conversion }: Side): readonly Site[] {
  const { root } = conversion.sources;
  return listOf(root.value, "methods").map((_, index) =>
    followed(inside(root, "methods", index), conversion, undefined),
  );
}

function compareMethods(a: Site, sideA: Side, b: Site, sideB: Side): readonly string[] {
  const name = textOf(a.value, "name") ?? "";
  const [wordsA, wordsB] = [methodWords(a, sideA), methodWords(b, sideB)];
  const differing = Object.keys({ ...Object(wordsA), ...Object(wordsB) }).filter(
    (key) => canonicalText(memberOf(wordsA, key) ?? null) !== canonicalText(memberOf(wordsB, key) ?? null),
  );
  return [
    ...differing.map((key) => `${key} differs`),
    ...compareParameters(a, sideA, b, sideB, name),
    ...compareResults(a, sideA, b, sideB),
  ];
}

/** Everything but the schemas, with references followed. */
function methodWords(site: Site, { conversion }: Side): Json {
  const { value } = site;
  const description = textOf(value, "description") ?? textOf(value, "summary") ?? "";
  const fields = parametersOf(site, newOwner(), conversion);
  const { examples, others } = examplesOf(site, fields, conversion);
  const extensions = Object.entries(ownExtensions(value)).filter(([key]) => !ownKeys.has(key));
  return {
    description,
    summary: textOf(value, "description") === undefined ? "" : summaryOf(value, description),
    deprecated: memberOf(value, "deprecated") === true,
    paramStructure: memberOf(value, "paramStructure") ?? "either",
    errors: listOf(value, "errors")
      .map((_, index) => canonicalError(followed(inside(site, "errors", index), conversion, undefined)))
      .toSorted(),
    examples: examples
      .map((example) => canonicalText([example.name, example.payload, example.result].map(plain)))
      .toSorted(),
    otherExamples: others.map(canonicalText).toSorted(),
    ...pick(value, ["tags", "servers", "links", "externalDocs"]),
    extensions: Object.fromEntries(extensions),
  };
}

/** A summary that is the first sentence of the description says nothing of its own. */
function summaryOf(value: Json, description: string): string {
  const summary = textOf(value, "summary") ?? "";
  return description.replaceAll(/\s+/g, " ").startsWith(summary) ? "" : summary;
}

/** Keys that the export itself adds. */
const ownKeys: ReadonlySet<string> = new Set([
  "x-deprecated",
  "x-name",
  "x-since",
  "x-section",
  "x-effect",
  "x-notify",
  "x-emits",
  "x-security",
]);

function plain(value: unknown): Json {
  const text: Json = JSON.parse(JSON.stringify(value ?? null));
  return text;
}

function canonicalError({ value }: Site): string {
  return canonicalText([
    memberOf(value, "code") ?? null,
    memberOf(value, "message") ?? null,
    memberOf(value, "data") ?? null,
  ]);
}

function compareParameters(a: Site, sideA: Side, b: Site, sideB: Side, method: string): readonly string[] {
  const fieldsA = parametersOf(a, newOwner(), sideA.conversion);
  const fieldsB = parametersOf(b, newOwner(), sideB.conversion);
  if (fieldsA.length !== fieldsB.length)
    return [`${method} has ${fieldsB.length} parameters, not ${fieldsA.length}`];
  return fieldsA.flatMap((field, index) => {
    const other = fieldsB[index];
    if (other === undefined || other.name !== field.name) return [`parameter ${index} is not ${field.name}`];
    if (other.optional !== field.optional) return [`${field.name}: required differs`];
    const difference = shapeDifference(field.shape, sideA, other.shape, sideB);
    return difference === undefined ? [] : [`${field.name}${difference}`];
  });
}

function compareResults(a: Site, sideA: Side, b: Site, sideB: Side): readonly string[] {
  const [given, other] = [memberOf(a.value, "result"), memberOf(b.value, "result")];
  if (given === undefined || other === undefined) return given === other ? [] : ["only one has a result"];
  const [resultA, resultB] = [a, b].map((site, index) =>
    followed(inside(site, "result"), (index === 0 ? sideA : sideB).conversion, undefined),
  );
  if (resultA === undefined || resultB === undefined) return ["a result leads nowhere"];
  const difference = isObject(memberOf(resultA.value, "schema"))
    ? shapeDifference(resultShape(resultA, sideA), sideA, resultShape(resultB, sideB), sideB, {
        isNamed: false,
      })
    : undefined;
  return [
    ...(resultWords(resultA) === resultWords(resultB) ? [] : ["the words of the result differ"]),
    ...(difference === undefined ? [] : [`result${difference}`]),
  ];
}

function resultWords({ value }: Site): string {
  const words = pick(value, ["name", "summary", "description", "required", "deprecated"]);
  return canonicalText({ ...words, ...ownExtensions(value) });
}

function resultShape(site: Site, { conversion }: Side): Shape {
  return convertSchema([inside(site, "schema")], "Result", newOwner(), conversion);
}
