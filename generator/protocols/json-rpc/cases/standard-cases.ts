import type { Frame } from "../../../../conformance/base/frame.ts";
import { omitUndefined } from "../../../../conformance/base/omit-undefined.ts";
import { faultsBeforeMethod } from "../../../../conformance/cases/all-cases.ts";
import type { Edit, Expectation, RequestPlan } from "../../../../conformance/suite/case.ts";
import type { Level } from "../../../../conformance/suite/level.ts";
import type { JsonRpcEntry } from "../../../../conformance/suite/json-rpc.ts";
import type { MethodEntry } from "../../../../conformance/suite/suite.ts";
import { endpoint, minimalBase, type CaseList } from "../../../targets/conformance/case-list.ts";

/** The interface of a list of cases, as far as cases of JSON-RPC 2.0 need it. */
export interface StandardCases {
  readonly list: CaseList;
  readonly wire: JsonRpcEntry;
  /** The names of the members of messages. */
  readonly frame: Frame;
  /** The method by which the endpoint as a whole is tried; it is answered. */
  readonly probe: MethodEntry;
  /** How a right call of the probe is answered: other than a reading one, it may fail for reasons of its own. */
  readonly probed: Expectation;
}

interface StandardCase {
  readonly group: string;
  readonly name: string;
  readonly title: string;
  /** Section of JSON-RPC 2.0. */
  readonly section?: string;
  readonly request: RequestPlan;
  readonly expect: Expectation;
  readonly level?: Level;
}

/** Adds a case of the endpoint as a whole, tried by the probe. `document` is its level unless another is named. */
export function addEndpointCase({ list, probe }: StandardCases, each: StandardCase): void {
  list.add({
    method: probe.name,
    name: [endpoint, each.group, each.name],
    title: each.title,
    level: each.level ?? "document",
    stated: [standard(each.section)],
    request: omitUndefined({
      base: each.request.raw === undefined ? minimalBase(probe) : undefined,
      ...each.request,
    }),
    expect: each.expect,
  });
}

/** Adds a case of one method. */
export function addMethodCase({ list }: StandardCases, method: MethodEntry, each: StandardCase): void {
  list.add({
    method: method.name,
    name: [each.group, each.name],
    title: each.title,
    level: each.level ?? "document",
    stated: [method, standard(each.section)],
    request: { base: minimalBase(method), ...each.request },
    expect: each.expect,
  });
}

/** Gives a member of the message this value. */
export function setting(member: string, value: unknown): readonly Edit[] {
  return [{ op: "set", at: `/${member}`, value }];
}

/** Takes a member from the message. */
export function omitting(member: string): readonly Edit[] {
  return [{ op: "omit", at: `/${member}` }];
}

/** A text of JSON-RPC 2.0 with the names of the interface. */
export function inFrame({ frame }: Pick<StandardCases, "frame">, text: string): string {
  const { version } = frame;
  return text.replaceAll(
    /"jsonrpc":( ?)"2\.0"((?:, ?)?)|"(id|method|params)":/g,
    (_all, blank: string, comma: string, role?: "id" | "method" | "params") => {
      if (role !== undefined) return `"${frame[role]}":`;
      return version ? `"${version.member}":${blank}${JSON.stringify(version.value)}${comma}` : "";
    },
  );
}

function standard(section: string | undefined) {
  return section === undefined ? undefined : { section: `JSON-RPC 2.0, ${section}`, decisions: [] };
}

/** The error of a condition that the runtime detects. */
export function refusedAs({ list }: StandardCases, ...faults: readonly string[]): Expectation {
  return { kind: "error", codes: faults.map((name) => list.fault(name)) };
}

/** Expected answer where protocol and authentication accept a call: a result, or an error of the method. */
export function taken({ list }: Pick<StandardCases, "list">, ...more: readonly string[]): Expectation {
  return {
    kind: "taken",
    notCodes: [...new Set([...faultsBeforeMethod, ...more].map((name) => list.fault(name)))],
  };
}

/** Methods that are answered. */
export function answeredMethods({ list }: StandardCases): readonly MethodEntry[] {
  return list.suite.methods.filter((method) => transportOf(method)?.notify !== "only");
}

export function transportOf({ transport }: MethodEntry) {
  return transport.kind === "json-rpc" ? transport : undefined;
}
