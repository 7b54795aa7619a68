import type { JsonRpcWireModel, MethodModel, RequestIdModel } from "../../../model/index.ts";
import { isStandard } from "../../../protocols/json-rpc/wire.ts";
import { isEnvelope } from "../../../protocols/signed/wire.ts";
import { locate } from "../locate.ts";
import type { SingleRuleId } from "../../rules/index.ts";
import type { Comparison } from "../comparison.ts";
import { pairFields } from "../values/objects.ts";
import { containment } from "../values/pattern-containment.ts";
import { codeList } from "../phrases.ts";

type Standard = Extract<MethodModel["transport"], { kind: "json-rpc" }>;

type Report = (
  rule: SingleRuleId,
  facts: { readonly from?: string; readonly to?: string },
  ...keys: readonly string[]
) => void;

/** How the calls of the interface travel. */
export function compareWires(comparison: Comparison): void {
  const { old, new: recent } = comparison;
  const report: Report = (rule, facts, ...keys) =>
    comparison.report(rule, {
      path: ["interface", ...keys].join("/"),
      facts: { name: recent.name, ...facts },
      old: locate(old.span, ...keys),
      new: locate(recent.span, ...keys),
    });
  if (old.wire.protocol !== recent.wire.protocol) {
    report("protocol-changed", { from: old.wire.protocol, to: recent.wire.protocol }, "wire", "protocol");
  } else if (isStandard(old.wire) && isStandard(recent.wire)) {
    compareStandardWires(report, old.wire, recent.wire);
    compareFaults(comparison, old.wire, recent.wire);
  } else if (isEnvelope(old.wire) && isEnvelope(recent.wire)) {
    const ids = comparedIds(old.wire.requestId, recent.wire.requestId);
    if (ids !== undefined) report(`id-pattern-${ids.verdict}`, ids.facts, "wire", "requestId");
    const isNull = recent.wire.nullError === true;
    if (isNull !== (old.wire.nullError === true))
      report(isNull ? "null-error-added" : "null-error-removed", {}, "wire", "nullError");
  }
}

/** How one rule for ids of requests differs from another. */
export function comparedIds(old: RequestIdModel | undefined, recent: RequestIdModel | undefined) {
  const [from, to] = [old?.pattern, recent?.pattern];
  if (from === to) return undefined;
  const isWider =
    to === undefined || ["same", "wider"].includes(containment({ pattern: from }, { pattern: to }));
  return isWider
    ? ({ verdict: "widened", facts: { from: from ?? "any text", to: to ?? "" } } as const)
    : ({ verdict: "changed", facts: { from: from === undefined ? "any text" : `\`${from}\``, to } } as const);
}

function compareStandardWires(report: Report, old: JsonRpcWireModel, recent: JsonRpcWireModel): void {
  const [before, now] = [batchMax(old), batchMax(recent)];
  if (before !== now) {
    const facts = { from: callsText(before), to: callsText(now) };
    report(now < before ? "batch-narrowed" : "batch-widened", facts, "wire", "batch");
  }
  for (const transport of recent.transports.filter((name) => !old.transports.includes(name)))
    report("transport-added", { to: transport }, "wire", "transports", transport);
  for (const transport of old.transports.filter((name) => !recent.transports.includes(name)))
    report("transport-removed", { from: transport }, "wire", "transports", transport);
  if (old.http.status !== recent.http.status) {
    const facts = { from: old.http.status, to: recent.http.status };
    report("http-statuses-changed", facts, "wire", "http", "status");
  }
  if (old.http.notified !== recent.http.notified) {
    const facts = { from: String(old.http.notified), to: String(recent.http.notified) };
    report("notified-status-changed", facts, "wire", "http", "notified");
  }
}

/** The most calls that travel together; 0 where there are no batches. */
function batchMax({ batch }: JsonRpcWireModel): number {
  return batch === false ? 0 : batch.max;
}

function callsText(max: number): string {
  return max === 0 ? "no" : `up to ${max}`;
}

function compareFaults(
  { old, new: recent, report }: Comparison,
  a: JsonRpcWireModel,
  b: JsonRpcWireModel,
): void {
  for (const [name, { code: to }] of Object.entries(b.faults)) {
    const from = Object.entries(a.faults).find(([fault]) => fault === name)?.[1].code;
    if (from === undefined || from === to) continue;
    report("standard-fault-changed", {
      path: `interface/faults/${name}`,
      facts: { name, from: String(from), to: String(to) },
      old: locate(old.span, "faults", name),
      new: locate(recent.span, "faults", name),
    });
  }
}

/** How a method of a standard interface is called. */
export function compareStandardCalls(
  comparison: Comparison,
  { old, recent }: { readonly old: MethodModel; readonly recent: MethodModel },
  before: Standard,
  now: Standard,
): void {
  const report: Report = (rule, facts, ...keys) =>
    comparison.report(rule, {
      path: recent.name,
      facts: { name: recent.name, ...facts },
      old: locate(old.span, ...keys),
      new: locate(recent.span, ...keys),
      reaches: [recent.name],
    });
  if (before.params !== now.params) {
    const rule = now.params === "either" ? "params-widened" : "params-narrowed";
    report(rule, { from: before.params, to: now.params }, "params");
  }
  if (before.params !== "by-name" && now.params !== "by-name") comparePositions(report, old, recent);
  if (before.notify !== now.notify) compareNotify(report, before, now);
}

function compareNotify(report: Report, before: Standard, now: Standard): void {
  if (now.notify === "never") report("notifications-refused", {}, "notify");
  else if (before.notify === "never") report("notifications-taken", {}, "notify");
  if (now.notify === "only") report("answers-removed", {}, "notify");
  else if (before.notify === "only") report("answers-added", {}, "notify");
}

/** Whether a parameter that stays has another position. */
function comparePositions(report: Report, old: MethodModel, recent: MethodModel): void {
  if (old.payload.kind !== "single" || recent.payload.kind !== "single") return;
  const [before, now] = [old.payload.shape, recent.payload.shape];
  const { pairs } = pairFields(before, now);
  const isMoved = pairs.some((pair) => before.fields.indexOf(pair.old) !== now.fields.indexOf(pair.new));
  if (!isMoved) return;
  const [from, to] = [before, now].map(({ fields }) => codeList(fields.map(({ name }) => name)));
  report("parameters-moved", { from: from ?? "", to: to ?? "" }, "payload");
}
