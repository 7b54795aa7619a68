import { languageOf, protocolNames } from "../../protocols/languages.ts";
import { omitUndefined } from "../../../conformance/base/omit-undefined.ts";
import type { Entry, MapNode, Node } from "../syntax/index.ts";
import { defaultProtocol, type Protocol } from "../structure/protocols.ts";
import type {
  AuthSpec,
  FaultsSpec,
  InterfaceSpec,
  SchemeSpec,
  SecurityAlternativeSpec,
  SecuritySpec,
  ServesSpec,
  ServiceSpec,
  WireSpec,
} from "../spec.ts";
import {
  childOf,
  documentedOf,
  entriesOf,
  entryOf,
  isTrueAt,
  itemsOf,
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

export function readInterface(entry: Entry): InterfaceSpec {
  const node = entry.value;
  const name = textAt(node, "name") ?? "";
  const wire = readWire(entryOf(node, "wire"));
  const { mayBeTerse } = languageOf(wire.protocol);
  return {
    ...documentedOf(node, entry.keySpan),
    name,
    title: textAt(node, "title") ?? (mayBeTerse ? name : ""),
    revision: textAt(node, "revision") ?? (mayBeTerse ? "1.0.0" : ""),
    path: textAt(node, "path") ?? "",
    wire,
    uses: namesOf(childOf(node, "uses")),
    extends: namesOf(childOf(node, "extends")),
    serves: mapsOf(childOf(node, "serves")).flatMap((item) => readServed(item) ?? []),
    services: entriesOf(childOf(node, "services")).map(readService),
    ...optional("auth", readAuth(entryOf(node, "auth"))),
    ...optional("faults", readFaults(entryOf(node, "faults"))),
    schemes: entriesOf(childOf(node, "schemes")).map(readScheme),
    ...optional("security", readSecurity(node)),
  };
}

function readWire(entry: Entry | undefined): WireSpec {
  const protocol = textAt(entry?.value, "protocol");
  const batch = childOf(entry?.value, "batch");
  const max = numberAt(batch, "max")?.value;
  const isAllowed = batch?.kind === "scalar" && typeof batch.value === "boolean" ? batch.value : undefined;
  const transports = childOf(entry?.value, "transports");
  return {
    ...optional("span", entry?.keySpan),
    protocol: isProtocol(protocol) ? protocol : defaultProtocol,
    ...optional("params", wordAt(entry?.value, "params", paramsStyles)),
    ...optional("http", readHttp(entryOf(entry?.value, "http"))),
    ...optional("batch", max === undefined ? isAllowed : { max }),
    ...optional("transports", transports && namesOf(transports)),
    ...optional("requestId", nameAt(childOf(entry?.value, "requestId"), "pattern")),
    ...omitUndefined({ nullError: isTrueAt(entry?.value, "nullError") ? (true as const) : undefined }),
  };
}

function readHttp(entry: Entry | undefined): WireSpec["http"] {
  if (entry === undefined) return undefined;
  return {
    span: entry.keySpan,
    ...optional("path", textAt(entry.value, "path")),
    ...optional("status", wordAt(entry.value, "status", ["ok", "mapped"])?.value),
    ...optional("notified", numberAt(entry.value, "notified")?.value),
  };
}

function isProtocol(text: string | undefined): text is Protocol {
  return text !== undefined && protocolNames.includes(text);
}

/** The protocol that the files of a folder name. */
export function protocolOf(files: readonly Node[]): Protocol {
  return saidProtocols(files).find(isProtocol) ?? defaultProtocol;
}

/** Whether they name one that there is not: then nothing is known of what they may say. */
export function namesUnknownProtocol(files: readonly Node[]): boolean {
  return saidProtocols(files).some((said) => !isProtocol(said));
}

function saidProtocols(files: readonly Node[]): readonly string[] {
  return files.flatMap((file) => textAt(childOf(childOf(file, "interface"), "wire"), "protocol") ?? []);
}

function readServed(node: MapNode): ServesSpec | undefined {
  const [revision, spec] = [nameAt(node, "revision"), nameAt(node, "spec")];
  if (revision === undefined || spec === undefined) return undefined;
  const { section, decisions } = documentedOf(node, node.span);
  return { revision, spec, decisions, ...optional("section", section) };
}

function readService(entry: Entry): ServiceSpec {
  return { ...documentedOf(entry.value, entry.keySpan), name: nameOfKey(entry) };
}

function readAuth(entry: Entry | undefined): AuthSpec | undefined {
  if (entry === undefined) return undefined;
  return {
    span: entry.keySpan,
    ...optional("scheme", nameAt(entry.value, "scheme")),
    members: entriesOf(childOf(entry.value, "members")).map((member) => ({
      ...described(member),
      ...optional("missing", nameAt(member.value, "missing")),
    })),
    headers: entriesOf(childOf(entry.value, "headers")).map((header) => ({
      ...described(header),
      format: textAt(header.value, "format") ?? "",
    })),
  };
}

function described(entry: Entry) {
  return { ...documentedOf(entry.value, entry.keySpan), name: nameOfKey(entry) };
}

function readFaults(entry: Entry | undefined): FaultsSpec | undefined {
  if (entry === undefined) return undefined;
  const codes = entriesOf(entry.value).flatMap((fault) => {
    const code = textOf(faultCode(fault.value));
    return code === undefined ? [] : { fault: nameOfKey(fault), code };
  });
  return { span: entry.keySpan, codes };
}

function faultCode(node: Node): Node | undefined {
  return node.kind === "scalar" ? node : undefined;
}

function readScheme(entry: Entry): SchemeSpec {
  const node = entry.value;
  return {
    ...documentedOf(node, entry.keySpan),
    name: nameOfKey(entry),
    ...optional("kind", nameAt(node, "kind")),
    options: entriesOf(node)
      .filter(({ key }) => !commonKeys.has(key) && !key.startsWith("x-"))
      .map((option) => ({ name: nameOfKey(option), value: option.value })),
  };
}

const commonKeys: ReadonlySet<string> = new Set([
  "kind",
  "doc",
  "section",
  "decision",
  "since",
  "deprecated",
]);

/** Reads `security` of an interface or a method; `undefined` where it has none. */
export function readSecurity(node: Node): SecuritySpec | undefined {
  const entry = entryOf(node, "security");
  if (entry?.value.kind !== "list") return undefined;
  return { span: entry.keySpan, alternatives: itemsOf(entry.value).flatMap(readAlternative) };
}

function readAlternative(node: Node): readonly SecurityAlternativeSpec[] {
  if (node.kind !== "map") return [];
  const schemes = node.entries.map((entry) => ({ scheme: nameOfKey(entry), scopes: namesOf(entry.value) }));
  return [{ span: node.span, schemes }];
}
