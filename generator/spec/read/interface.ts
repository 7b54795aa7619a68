import type { Entry, MapNode, Node } from "../../syntax/index.ts";
import type { AuthSpec, FaultsSpec, InterfaceSpec, ServesSpec, ServiceSpec } from "../spec.ts";
import {
  childOf,
  entriesOf,
  entryOf,
  mapsOf,
  nameAt,
  nameOfKey,
  namesOf,
  optional,
  textAt,
  textOf,
} from "./access.ts";
import { documentedOf } from "./documented.ts";

export function readInterface(entry: Entry): InterfaceSpec {
  const node = entry.value;
  return {
    ...documentedOf(node, entry.keySpan),
    name: textAt(node, "name") ?? "",
    title: textAt(node, "title") ?? "",
    revision: textAt(node, "revision") ?? "",
    path: textAt(node, "path") ?? "",
    uses: namesOf(childOf(node, "uses")),
    serves: mapsOf(childOf(node, "serves")).flatMap((item) => readServed(item) ?? []),
    services: entriesOf(childOf(node, "services")).map(readService),
    ...optional("auth", readAuth(entryOf(node, "auth"))),
    ...optional("faults", readFaults(entryOf(node, "faults"))),
  };
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
