import type { JsonRpcWireModel, MethodModel, RequestIdModel } from "../../../model/index.ts";
import { isStandard } from "../../../protocols/json-rpc/wire.ts";
import { isEnvelope } from "../../../protocols/signed/wire.ts";
import type { Comparison, Report } from "../comparison.ts";
import { differs } from "../definitions.ts";
import type { Pair } from "../pair-up.ts";
import { codeList } from "../phrases.ts";
import { pairFields } from "../values/objects.ts";
import { containment } from "../values/pattern-containment.ts";

type Standard = Extract<MethodModel["transport"], { kind: "json-rpc" }>;

/** How the calls of the interface travel. */
export function compareWires(comparison: Comparison): void {
  const { old, new: recent } = comparison;
  const report: Report = (rule, said, ...keys) =>
    comparison.at({ path: ["interface", ...keys].join("/"), name: recent.name, old, new: recent })(
      rule,
      said,
      ...keys,
    );
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
  differs(report, "http-statuses-changed", old.http.status, recent.http.status, "wire", "http", "status");
  const [from, to] = [String(old.http.notified), String(recent.http.notified)];
  differs(report, "notified-status-changed", from, to, "wire", "http", "notified");
}

/** The most calls that travel together; 0 where there are no batches. */
function batchMax({ batch }: JsonRpcWireModel): number {
  return batch === false ? 0 : batch.max;
}

function callsText(max: number): string {
  return max === 0 ? "no" : `up to ${max}`;
}

function compareFaults(comparison: Comparison, a: JsonRpcWireModel, b: JsonRpcWireModel): void {
  const { old, new: recent } = comparison;
  const before = new Map(Object.entries(a.faults));
  for (const [name, { code: to }] of Object.entries(b.faults)) {
    const from = before.get(name)?.code ?? to;
    const report = comparison.at({ path: `interface/faults/${name}`, name, old, new: recent });
    differs(report, "standard-fault-changed", String(from), String(to), "faults", name);
  }
}

/** How a method of a standard interface is called. */
export function compareStandardCalls(
  report: Report,
  pair: Pair<MethodModel>,
  before: Standard,
  now: Standard,
): void {
  const params = now.params === "either" ? "params-widened" : "params-narrowed";
  differs(report, params, before.params, now.params, "params");
  compareParameters(report, pair, before.params !== "by-name" && now.params !== "by-name");
  if (before.notify !== now.notify) compareNotify(report, before, now);
}

function compareNotify(report: Report, before: Standard, now: Standard): void {
  if (now.notify === "never") report("notifications-refused", {}, "notify");
  else if (before.notify === "never") report("notifications-taken", {}, "notify");
  if (now.notify === "only") report("answers-removed", {}, "notify");
  else if (before.notify === "only") report("answers-added", {}, "notify");
}

/** Compares which parameters a method takes, and their positions where these are known in both revisions. */
function compareParameters(
  report: Report,
  { old, new: recent }: Pair<MethodModel>,
  hasPositions: boolean,
): void {
  if (old.payload.kind !== "single" || recent.payload.kind !== "single") return;
  const [before, now] = [old.payload.shape, recent.payload.shape];
  const { pairs, removed } = pairFields(before, now);
  for (const field of removed) report("parameter-removed", { from: field.name }, "payload");
  const isMoved = pairs.some((pair) => before.fields.indexOf(pair.old) !== now.fields.indexOf(pair.new));
  if (!hasPositions || !isMoved) return;
  const [from, to] = [before, now].map(({ fields }) => codeList(fields.map(({ name }) => name)));
  report("parameters-moved", { from: from ?? "", to: to ?? "" }, "payload");
}
