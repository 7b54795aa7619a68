import { languageOf } from "../../protocols/languages.ts";
import { closest } from "../../../conformance/base/closest.ts";
import { resolveShape } from "../references/reach.ts";
import { oncePer } from "../source/once-per.ts";
import { scalarTypes, type MethodSpec, type Name, type ShapeSpec } from "../spec.ts";
import type { RuleContext } from "./context.ts";

/** Names of the built-in types in other notations. */
const synonyms: ReadonlyMap<string, string> = new Map([
  ["bigdecimal", "money"],
  ["bool", "boolean"],
  ["currency", "money"],
  ["datetime", "timestamp"],
  ["date-time", "timestamp"],
  ["decimal", "money"],
  ["double", "number"],
  ["float", "number"],
  ["int", "integer"],
  ["int32", "integer"],
  ["int64", "integer"],
  ["long", "integer"],
  ["str", "string"],
  ["text", "string"],
  ["none", "null"],
  ["undefined", "null"],
  ["uri", "url"],
  ["uuid", "string"],
  ["void", "null"],
]);

/** Every name that is used is defined, and names the kind of thing that belongs there. */
export function checkReferences(context: RuleContext): void {
  const { spec, shapes } = context;
  for (const shape of shapes) if (shape.kind === "ref") checkType(shape.type, context);
  for (const type of spec.types) checkTypeName(type.name, context);
  for (const method of spec.methods) {
    if (method.payload.kind !== "forms") checkIsObject("payload", method.payload, context);
    if (languageOf(context.own.wire.protocol).resultsAreObjects)
      checkIsObject("result", method.result, context);
    checkMethodReferences(method, context);
  }
  for (const event of spec.events) checkIsObject("payload", event.payload, context);
}

function checkMethodReferences(method: MethodSpec, context: RuleContext): void {
  const { scope, report } = context;
  for (const error of method.errors) checkErrorCode(error.code, context);
  for (const event of method.emits) {
    if (scope.events.has(event.value)) continue;
    const suggestion = meant(event.value, scope.events);
    report("unknown-event", event.span, { name: event.value, suggestion });
  }
}

export function checkType(name: Name, { scope, report }: RuleContext): void {
  if (scope.types.has(name.value)) return;
  const suggestion =
    synonyms.get(name.value.toLowerCase()) ?? meant(name.value, scope.types, [...scalarTypes, "null"]);
  report("unknown-type", name.span, { name: name.value, suggestion });
}

export function checkErrorCode(code: Name, { scope, report }: RuleContext): void {
  if (scope.errors.has(code.value)) return;
  report("unknown-error-code", code.span, {
    code: code.value,
    suggestion: meant(code.value, scope.errors),
  });
}

export function checkMethodName(name: Name, { methods, report }: RuleContext): MethodSpec | undefined {
  const method = methods.get(name.value);
  if (method !== undefined) return method;
  report("unknown-method", name.span, { name: name.value, suggestion: meant(name.value, methods) });
  return undefined;
}

type Declared = ReadonlyMap<string, { readonly renamedFrom?: Name }>;

/** The present name of what had a name in an earlier revision; of any other name the closest that there is. */
function meant(name: string, declared: Declared, others: readonly string[] = []): string | undefined {
  const suggestions = suggestionsOf(declared);
  const renamed = suggestions.renamed.get(name);
  if (renamed !== undefined || suggestions.left === 0) return renamed;
  suggestions.left -= 1;
  return closest(name, [...declared.keys(), ...others]);
}

/** Where more names are unknown, a spec is missing: nobody reads as many suggestions, and each looks at every name. */
const suggestionsMax = 50;

const suggestionsOf = oncePer((declared: Declared) => ({
  renamed: new Map(
    [...declared]
      .toReversed()
      .flatMap(([name, { renamedFrom }]) => (renamedFrom === undefined ? [] : [[renamedFrom.value, name]])),
  ),
  left: suggestionsMax,
}));

const typeWords: ReadonlySet<string> = new Set([
  ...scalarTypes,
  "object",
  "array",
  "of",
  "map",
  "tuple",
  "json",
  "null",
  "none",
]);

function checkTypeName(name: Name, { report }: RuleContext): void {
  if (typeWords.has(name.value)) report("type-name-reserved", name.span, { name: name.value });
}

function checkIsObject(what: "payload" | "result", shape: ShapeSpec, context: RuleContext): void {
  const { scope, report } = context;
  const resolved = shape.kind === "ref" || shape.kind === "union" ? resolveShape(shape, scope) : undefined;
  if (resolved === undefined || resolved.kind === "object") return;
  if (what === "result" && resolved.kind === "tagged") return;
  if (what === "result" && resolved.kind === "union")
    for (const each of resolved.alternatives) checkIsObject(what, each, context);
  else if (shape.kind === "ref") report("not-an-object", shape.span, { what, type: shape.type.value });
}
