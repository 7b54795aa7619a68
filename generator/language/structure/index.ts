import type { Span } from "../source/index.ts";
import {
  writtenAt,
  type Entry,
  type ListNode,
  type MapNode,
  type Node,
  type ScalarNode,
} from "../syntax/index.ts";
import { matches, resolved, specSchema, typesOf, type Resolved, type SchemaNode } from "./schema.ts";
import type { Protocol, ProtocolLanguage } from "./protocols.ts";
import { languageOf } from "../../protocols/languages.ts";
import { oncePer } from "../source/once-per.ts";
import { closest } from "../../../conformance/base/closest.ts";
import type { Code, Reporter } from "../diagnostics/index.ts";

/**
 * Checks a file against the schema of the spec language, and against further demands of the protocol. Every finding
 * points at its key or value.
 */
export function checkStructure(file: Node, reporter: Reporter, protocol?: Protocol): void {
  const keys = protocol === undefined ? undefined : languageOf(protocol);
  checkNode(file, specSchema, file.span, { report: reporter.report, protocol, keys });
}

/** State shared by the functions below. */
interface Check extends Pick<Reporter, "report"> {
  readonly protocol: Protocol | undefined;
  readonly keys: ProtocolLanguage | undefined;
}

/** Whether everything at the top of a file is a section of the language, so that no definition went unread. */
export function hasReadableSections(file: Node): boolean {
  const sections = specSchema.properties ?? {};
  return (
    file.kind === "map" &&
    file.entries.every(({ key, value }) => Object.hasOwn(sections, key) && value.kind === "map")
  );
}

/** `owner` is where a missing key is reported: at the key whose value this is, or at the start of a list item. */
function checkNode(node: Node, unresolved: SchemaNode, owner: Span, reporter: Check): void {
  const types = typesOf(unresolved);
  if (types.length === 0 || node.kind === "unreadable") return;
  const type = types.find((candidate) => hasType(node, candidate));
  if (type === undefined) {
    reportWrongType(node, types, unresolved, owner, reporter);
    return;
  }
  const alternative = resolved(unresolved).schema.oneOf?.find((branch) => typesOf(branch).includes(type));
  const { schema, name } = resolved(alternative ?? unresolved);
  if (node.kind === "map") checkMap(node, schema, name, owner, reporter);
  else if (node.kind === "list") checkList(node, schema, owner, reporter);
  else if (typeof node.value === "string")
    checkText(node.value, node.span, { schema, ...named(name) }, reporter);
  else if (typeof node.value === "number") checkNumber(node.value, node.span, schema, reporter);
}

function named(name: string | undefined): { readonly name?: string } {
  return name === undefined ? {} : { name };
}

function checkMap(
  node: MapNode,
  schema: SchemaNode,
  name: string | undefined,
  owner: Span,
  reporter: Check,
): void {
  const { properties = {}, additionalProperties, propertyNames } = schema;
  const typeText = Object.hasOwn(properties, "type") ? undefined : typeInMapping(node, properties);
  if (typeText !== undefined) {
    reporter.report("missing-key", owner, {
      key: "fields",
      instead: `write the type alone: \`${typeText}\``,
    });
    return;
  }
  const extensions = Object.keys(schema.patternProperties ?? {});
  checkProtocolKeys(node, name, reporter);
  const given = new Set(node.entries.map((entry) => entry.key));
  for (const entry of node.entries) {
    const property = Object.hasOwn(properties, entry.key) ? properties[entry.key] : undefined;
    if (property !== undefined) checkNode(entry.value, property, entry.keySpan, reporter);
    else if (extensions.some((pattern) => matches(pattern, entry.key))) continue;
    else if (additionalProperties === false) {
      const known = Object.keys(properties);
      const suggestion = suggestKey(entry.key, node, known);
      if (suggestion !== undefined) given.add(suggestion);
      const isBare = entry.value.kind === "scalar" && entry.value.value === null;
      reporter.report("unknown-key", entry.keySpan, { key: entry.key, isBare, suggestion, known });
    } else if (typeof additionalProperties === "object") {
      if (propertyNames !== undefined) checkKey(entry, resolved(propertyNames), reporter);
      checkNode(entry.value, additionalProperties, entry.keySpan, reporter);
    }
  }
  const requiredByProtocol = name === undefined ? [] : (reporter.keys?.required[name] ?? []);
  for (const key of [...(schema.required ?? []), ...requiredByProtocol]) {
    if (given.has(key)) continue;
    if (key === "doc") reporter.report("missing-doc", owner, {});
    else reporter.report("missing-key", owner, { key });
  }
  if (node.entries.length < (schema.minProperties ?? 0)) reporter.report("empty-list", owner, {});
}

/** The type of a mapping that is written as in JSON Schema where a type or an object is written. */
function typeInMapping(node: MapNode, properties: object): string | undefined {
  const textOf = (wanted: string): string | undefined => {
    const value = node.entries.find(({ key }) => key === wanted)?.value;
    return value?.kind === "scalar" && typeof value.value === "string" ? value.value : undefined;
  };
  if (!Object.hasOwn(properties, "fields") || node.entries.some(({ key }) => key === "fields"))
    return undefined;
  const type = textOf("type");
  return type === "array" ? `array of ${textOf("items") ?? "…"}` : type;
}

/** Keys that mean nothing under the protocol. */
function checkProtocolKeys(node: MapNode, name: string | undefined, { report, protocol, keys }: Check): void {
  const foreign = name === undefined ? undefined : keys?.foreign[name];
  if (foreign === undefined || protocol === undefined) return;
  for (const { key, keySpan } of node.entries) {
    const instead = Object.hasOwn(foreign, key) ? foreign[key] : undefined;
    if (instead !== undefined) report("key-of-other-protocol", keySpan, { key, protocol, instead });
  }
}

/** A key that is a name; that of a method is written as its protocol has it. */
function checkKey({ key, keySpan }: Entry, wanted: Resolved, reporter: Check): void {
  const own = wanted.name === "methodName" ? reporter.keys?.methodName : undefined;
  const { schema } = wanted;
  const asked = own === undefined ? schema : { ...schema, pattern: own.pattern, description: own.rule };
  checkText(key, keySpan, { ...wanted, schema: asked }, reporter);
}

function checkList(node: ListNode, schema: SchemaNode, owner: Span, reporter: Check): void {
  const { items, minItems = 0, uniqueItems = false } = schema;
  if (node.items.length < minItems) reporter.report("empty-list", owner, {});
  const seen = new Map<unknown, Span>();
  for (const item of node.items) {
    if (items !== undefined) checkNode(item, items, startOf(item), reporter);
    if (!uniqueItems || item.kind !== "scalar") continue;
    const earlier = seen.get(item.value);
    if (earlier === undefined) seen.set(item.value, item.span);
    else {
      const written = writtenAt(item.span);
      reporter.report("repeated-item", item.span, { written }, { span: earlier, message: "first here" });
    }
  }
}

/** The name of a list item in messages: its first key. */
function startOf(node: Node): Span {
  return (node.kind === "map" ? node.entries[0]?.keySpan : undefined) ?? node.span;
}

/** Whether a text has the format, if there is one, that a schema asks for. */
function isFormatted(text: string, unresolved: SchemaNode): boolean {
  const { schema } = resolved(unresolved);
  const [alternative] = schema.oneOf ?? [];
  const { pattern } = alternative === undefined ? schema : resolved(alternative).schema;
  return pattern === undefined || matches(pattern, text);
}

type Written = ListNode | MapNode | ScalarNode;

function hasType(node: Node, type: string): boolean {
  switch (type) {
    case "object":
      return node.kind === "map";
    case "array":
      return node.kind === "list";
    case "integer":
      return node.kind === "scalar" && Number.isInteger(node.value);
    default:
      return node.kind === "scalar" && typeof node.value === type;
  }
}

function reportWrongType(
  node: Written,
  types: readonly string[],
  unresolved: SchemaNode,
  owner: Span,
  reporter: Check,
): void {
  const expected = types.map((type) => typeNames[type] ?? type);
  const isEmpty = node.kind === "scalar" && node.value === null;
  const isText =
    types.includes("string") &&
    node.kind === "scalar" &&
    !isEmpty &&
    isFormatted(writtenAt(node.span), unresolved);
  reporter.report("wrong-type", isEmpty ? owner : node.span, {
    expected,
    found: isEmpty ? undefined : foundName(node),
    unquoted: isText ? writtenAt(node.span) : undefined,
    instead: howToWrite(node, unresolved),
  });
}

/** Advice for what other notations write there. */
function howToWrite(node: Written, unresolved: SchemaNode): string | undefined {
  const { schema, name } = resolved(unresolved);
  if (name === "paramsStyle") return "what a call takes is its `payload`; `params` says how it is sent";
  const isOfFields = schema.items !== undefined && resolved(schema.items).name === "field";
  if (isOfFields && node.kind === "map") return "write a list: `- { name: …, type: …, doc: … }`";
  const alternatives = (schema.oneOf ?? [schema]).map((each) => resolved(each).schema.properties ?? {});
  const hasFields = alternatives.some((properties) => Object.hasOwn(properties, "fields"));
  return hasFields && node.kind === "list" ? "write `fields:` above the list" : undefined;
}

const typeNames: Readonly<Record<string, string>> = {
  object: "a mapping",
  array: "a list",
  string: "text",
  integer: "a whole number",
  number: "a number",
  boolean: "true or false",
};

function foundName(node: Written): string {
  if (node.kind === "list") return "a list";
  if (node.kind === "map") return "a mapping";
  if (typeof node.value === "string") return "text";
  return typeof node.value === "number" ? `the number ${writtenAt(node.span)}` : String(node.value);
}

/** Names of the language's keys in other notations. */
const synonyms: ReadonlyMap<string, string> = new Map([
  ["description", "doc"],
  ["input", "payload"],
  ["items", "type"],
  ["max", "maximum"],
  ["min", "minimum"],
  ["nullable", "optional"],
  ["output", "result"],
  ["params", "payload"],
  ["properties", "fields"],
  ["regex", "pattern"],
  ["request", "payload"],
  ["required", "optional"],
  ["response", "result"],
  ["returns", "result"],
  ["summary", "doc"],
  ["values", "enum"],
]);

/** The key that an unknown one most likely stands for: one of `known` that the mapping does not have yet. */
function suggestKey(key: string, node: MapNode, known: readonly string[]): string | undefined {
  const present = keysOf(node);
  const missing = known.filter((candidate) => !present.has(candidate));
  const near = closest(key, [...missing, ...synonyms.keys()]);
  const meant = near === undefined ? undefined : (synonyms.get(near) ?? near);
  return meant !== undefined && missing.includes(meant) ? meant : closest(key, missing);
}

const keysOf = oncePer((node: MapNode): ReadonlySet<string> => new Set(node.entries.map(({ key }) => key)));

/** Whether the mapping has one of these keys, or a key that most likely stands for one. */
export function mayHave(node: MapNode, keys: readonly string[]): boolean {
  return node.entries.some(
    (entry) => keys.includes(entry.key) || suggestKey(entry.key, node, keys) !== undefined,
  );
}

/** Codes of their own for what is often written wrong; other names are `name-format`. */
const formatCodes = {
  section: "section-format",
  decisionId: "decision-format",
  revision: "revision-format",
  methodName: "method-name-format",
  fieldName: "field-name-format",
} as const satisfies Readonly<Record<string, Code>>;

function hasOwnCode(name: string | undefined): name is keyof typeof formatCodes {
  return name !== undefined && Object.hasOwn(formatCodes, name);
}

type Reports = Pick<Reporter, "report">;

function checkText(text: string, span: Span, { schema, name }: Resolved, reporter: Reports): void {
  const allowed = schema.enum?.map(String);
  if (allowed !== undefined && !allowed.includes(text)) {
    const suggestion = closest(text, allowed);
    reporter.report("unknown-value", span, { value: text, allowed, suggestion });
  } else if (text.trim() === "" && (schema.minLength ?? 0) > 0) {
    reporter.report("empty-text", span, {});
  } else if (schema.pattern !== undefined && !matches(schema.pattern, text)) {
    const code = hasOwnCode(name) ? formatCodes[name] : "name-format";
    const what = schema.title ?? "value";
    const [example] = schema.examples ?? [];
    reporter.report(code, span, { text, what, rule: schema.description, example });
  }
}

function checkNumber(value: number, span: Span, schema: SchemaNode, reporter: Reports): void {
  const allowed = (schema.enum ?? []).map(String);
  if (allowed.length > 0 && !allowed.includes(String(value))) {
    const suggestion = closest(String(value), allowed);
    reporter.report("unknown-value", span, { value: String(value), allowed, suggestion });
  }
  const { minimum = -Infinity, maximum = Infinity } = schema;
  if (value < minimum || value > maximum) reporter.report("out-of-range", span, { value, minimum, maximum });
}
