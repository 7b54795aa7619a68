import { languageOf } from "../../protocols/languages.ts";
import type { Reporter } from "../diagnostics/index.ts";
import type { Entry, Node } from "../syntax/index.ts";
import type { Protocol } from "../structure/protocols.ts";
import type {
  ExampleSpec,
  MethodErrorSpec,
  MethodSpec,
  ObjectSpec,
  PagingSpec,
  PayloadSpec,
  UnknownSpec,
} from "../spec.ts";
import {
  childOf,
  documentedOf,
  entriesOf,
  entryOf,
  mapsOf,
  nameAt,
  nameOfKey,
  namesOf,
  numberAt,
  optional,
  paramsStyles,
  textAt,
  textOf,
  wordAt,
} from "./access.ts";
import { mayHave } from "../structure/index.ts";
import { readSecurity } from "./interface.ts";
import { readObject, readObjectOrName, readValue } from "./shapes.ts";

export function readMethod(entry: Entry, protocol: Protocol, reporter: Reporter): MethodSpec {
  const node = entry.value;
  const documented = documentedOf(node, entry.keySpan);
  const payload = childOf(node, "payload");
  const result = childOf(node, "result");
  const flat = entryOf(node, "flat");
  return {
    ...documented,
    decisions: [...new Set([...documented.decisions, ...documentedOf(payload, entry.keySpan).decisions])],
    name: nameOfKey(entry),
    // If a method says nothing about itself, nothing may repeat a call of it.
    effect: wordAt(node, "effect", ["read", "set", "create"]) ?? {
      value: languageOf(protocol).mayBeTerse ? "create" : "set",
      span: entry.keySpan,
    },
    ...optional("path", nameAt(node, "path")),
    ...optional("params", wordAt(node, "params", paramsStyles)),
    ...optional("notify", wordAt(node, "notify", ["never", "allowed", "only"])),
    ...optional("auth", authOf(entry)),
    ...optional("security", readSecurity(node)),
    ...optional("jsonrpc", wordAt(node, "jsonrpc", ["present", "absent"])),
    ...optional("requestId", nameAt(childOf(node, "requestId"), "pattern")),
    ...optional(
      "flat",
      flat && {
        span: flat.keySpan,
        selectedBy: namesOf(childOf(flat.value, "selectedBy")),
        ...optional("order", numberAt(flat.value, "order")),
      },
    ),
    payload: payload === undefined ? defaultPayload(entry, protocol) : readPayload(payload, reporter),
    result: resultOf(entry, result, protocol, reporter),
    errors: entriesOf(childOf(node, "errors")).map(readMethodError),
    emits: namesOf(childOf(node, "emits")),
    ...optional("paging", pagingOf(entryOf(node, "paging"))),
    ...optional("registersKey", registersKeyOf(childOf(node, "registersKey"))),
    ...optional("renamedFrom", nameAt(node, "renamedFrom")),
    examples: mapsOf(childOf(node, "examples")).map(readExample),
  };
}

/** Any type in a standard interface, null if nothing is said; an object in the envelope, or one of several: `A|B`. */
function resultOf(
  { keySpan }: Entry,
  result: Node | undefined,
  protocol: Protocol,
  reporter: Reporter,
): MethodSpec["result"] {
  if (languageOf(protocol).resultsAreObjects) {
    return textOf(result)?.value.includes("|") === true
      ? readValue(result, reporter)
      : readObjectOrName(result, reporter);
  }
  return result === undefined
    ? { kind: "null", span: keySpan, constraints: [] }
    : readValue(result, reporter);
}

/** A standard method that says nothing of its parameters has none; in the envelope, that has been reported. */
function defaultPayload({ keySpan }: Entry, protocol: Protocol): ObjectSpec | UnknownSpec {
  if (!languageOf(protocol).mayBeTerse) return { kind: "unknown" };
  return { kind: "object", span: keySpan, constraints: [], fields: [], atLeastOneOf: [], exactlyOneOf: [] };
}

/** A method of which nothing can be read is not asked for its authentication too. */
function authOf({ keySpan, value }: Entry): MethodSpec["auth"] {
  if (value.kind !== "map") return { span: keySpan, members: [] };
  const auth = entryOf(value, "auth");
  return auth && { span: auth.keySpan, members: namesOf(auth.value) };
}

function pagingOf(entry: Entry | undefined): PagingSpec | undefined {
  const node = entry?.value;
  const items = nameAt(node, "items");
  if (entry === undefined || items === undefined) return undefined;
  return {
    span: entry.keySpan,
    items,
    ...optional("page", nameAt(node, "page")),
    ...optional("first", numberAt(node, "first")?.value),
    ...optional("cursor", nameAt(node, "cursor")),
    ...optional("next", nameAt(node, "next")),
    ...optional("size", nameAt(node, "size")),
    ...optional("sizeMax", numberAt(node, "sizeMax")?.value),
    ...optional("filter", nameAt(node, "filter")),
    ...optional("empty", nameAt(node, "empty")),
    ...optional("name", textAt(node, "name")),
  };
}

function registersKeyOf(node: Node | undefined): MethodSpec["registersKey"] {
  const publicKey = nameAt(node, "publicKey");
  const keyId = nameAt(node, "keyId");
  return publicKey === undefined || keyId === undefined ? undefined : { publicKey, keyId };
}

function readPayload(node: Node | undefined, reporter: Reporter): PayloadSpec {
  if (node?.kind !== "map") return readObjectOrName(node, reporter);
  const keys = ["fields", "forms", "selectedBy"].filter((key) => entryOf(node, key) !== undefined);
  const selectedBy = nameAt(node, "selectedBy");
  if (keys.join() === "fields") return readObject(node, reporter);
  if (keys.join() !== "forms,selectedBy") {
    if (keys.length > 0 || !mayHave(node, ["fields", "forms"])) {
      reporter.report("payload-kind", node.entries[0]?.keySpan ?? node.span, { found: keys });
    }
    return { kind: "unknown" };
  }
  if (selectedBy === undefined) return { kind: "unknown" };
  return {
    kind: "forms",
    span: node.span,
    selectedBy,
    forms: entriesOf(childOf(node, "forms")).map((form) => ({
      ...documentedOf(form.value, form.keySpan),
      name: nameOfKey(form),
      shape: readObject(form.value, reporter),
    })),
  };
}

function readMethodError(entry: Entry): MethodErrorSpec {
  return {
    code: nameOfKey(entry),
    ...optional("message", nameAt(entry.value, "message")),
    ...optional("condition", textAt(entry.value, "condition")),
    ...optional("section", textAt(entry.value, "section")),
  };
}

/** The mapping at a key. Another value has been reported, and is not checked against the types too. */
function mapAt(node: Node, key: string): Node | undefined {
  const child = childOf(node, key);
  return child === undefined || child.kind === "map" ? child : { kind: "unreadable", span: child.span };
}

function readExample(node: Node): ExampleSpec {
  return {
    name: textAt(node, "name") ?? "",
    span: node.span,
    ...optional("payload", mapAt(node, "payload")),
    ...optional("result", childOf(node, "result")),
    ...optional("error", nameAt(node, "error")),
  };
}
