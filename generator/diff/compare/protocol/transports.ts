import {
  flatMethods,
  methodPath,
  requestIdOf,
  type FieldModel,
  type MethodModel,
} from "../../../model/index.ts";
import type { Comparison, Report } from "../comparison.ts";
import { differs } from "../definitions.ts";
import type { Pair } from "../pair-up.ts";
import { codeList } from "../phrases.ts";
import { compareSecurity } from "./authentication.ts";
import { comparedIds, compareStandardCalls } from "./wire.ts";

type Enveloped = Extract<MethodModel["transport"], { kind: "enveloped" }>;
type Flat = Extract<MethodModel["transport"], { kind: "flat" }>;

/** How an operation is recognized, and what a call of it has to prove. */
export function compareTransports(comparison: Comparison, report: Report, pair: Pair<MethodModel>): void {
  const { old, new: recent } = pair;
  const [before, now] = [old.transport, recent.transport];
  // Methods at the path of the interface follow it, which is said once.
  if (old.path !== undefined || recent.path !== undefined) {
    const paths = [methodPath(old, comparison.old), methodPath(recent, comparison.new)] as const;
    differs(report, "method-path-changed", ...paths, "path");
  }
  if (before.kind === "enveloped" && now.kind === "enveloped") {
    compareEnvelopes(report, before, now);
    // What both revisions say of all methods is compared once.
    if ((before.requestId ?? now.requestId) === undefined) return;
    const ids = comparedIds(requestIdOf(comparison.old, old), requestIdOf(comparison.new, recent));
    if (ids !== undefined) report(`method-id-pattern-${ids.verdict}`, ids.facts, "requestId");
  } else if (before.kind === "flat" && now.kind === "flat") {
    compareSelectors(report, old, before, now);
  } else if (before.kind === "json-rpc" && now.kind === "json-rpc") {
    compareStandardCalls(report, pair, before, now);
    compareSecurity(report, old, recent);
  } else if (before.kind === "own" && now.kind === "own") {
    compareSecurity(report, old, recent);
  } else if (before.kind === "enveloped" && now.kind === "flat") {
    report("enveloped-to-flat", {}, "flat");
  } else if (before.kind === "flat" && now.kind === "enveloped") {
    report("flat-to-enveloped", {}, "flat");
  }
  // Otherwise the protocol of the whole interface changed, which is said once.
}

function compareEnvelopes(report: Report, old: Enveloped, recent: Enveloped): void {
  for (const member of recent.auth.filter((name) => !old.auth.includes(name)))
    report("method-auth-added", { to: member }, "auth", member);
  for (const member of old.auth.filter((name) => !recent.auth.includes(name)))
    report("method-auth-removed", { from: member }, "auth", member);
  if (old.jsonrpc !== recent.jsonrpc)
    report(recent.jsonrpc ? "jsonrpc-added" : "jsonrpc-removed", {}, "jsonrpc");
}

function compareSelectors(report: Report, method: MethodModel, old: Flat, recent: Flat): void {
  const added = recent.selectedBy.filter((name) => !old.selectedBy.includes(name));
  const removed = old.selectedBy.filter((name) => !recent.selectedBy.includes(name));
  const required = fieldsOf(method).filter(({ presence }) => presence.kind === "required");
  const isAlwaysSelected = required.some(({ name }) => recent.selectedBy.includes(name));
  if (removed.length > 0 && isAlwaysSelected) {
    const facts = { from: codeList(old.selectedBy), to: codeList(recent.selectedBy) };
    report("flat-selector-restated", facts, "flat");
    return;
  }
  for (const name of added) report("flat-selector-added", { to: name }, "flat", "selectedBy", name);
  for (const name of removed) report("flat-selector-removed", { from: name }, "flat", "selectedBy", name);
}

/** Reports the flat bodies that one operation answered and another one answers now: the first that they select. */
export function compareFlatBodies(comparison: Comparison, pairs: readonly Pair<MethodModel>[]): void {
  const [before, now] = [flatMethods(comparison.old.methods), flatMethods(comparison.new.methods)];
  const former = new Map(
    pairs.map((pair) => [pair.new.name, before.find(({ name }) => name === pair.old.name)]),
  );
  for (const [index, first] of now.entries()) {
    const known = former.get(first.name);
    for (const later of now.slice(index + 1)) {
      const other = former.get(later.name);
      if (other === undefined || [other.path, later.path].some((path) => path !== first.path)) continue;
      const wasAfter =
        known === undefined || known.path !== first.path || before.indexOf(known) > before.indexOf(other);
      const selectors = first.transport.selectedBy.filter(
        (name) => wasAfter || known?.transport.selectedBy.includes(name) !== true,
      );
      // An operation without selectors takes every body that comes to it.
      const isForAll = wasAfter && first.transport.selectedBy.length === 0;
      const taken = isForAll ? [""] : selectors.filter((name) => declares(other, name));
      const thing = { path: first.name, name: first.name, old: known, new: first };
      const report = comparison.at({ ...thing, reaches: [first.name, later.name] });
      for (const from of taken) report("flat-bodies-taken", { from, to: later.name }, "flat");
      if (taken.length === 0 && wasAfter && known?.path === first.path)
        report("flat-order-changed", { to: later.name }, "flat");
    }
  }
}

/** Whether an operation takes a field of this name; names of requests match ignoring case (D-11). */
function declares(method: MethodModel, selector: string): boolean {
  const names = fieldsOf(method).flatMap(({ name, spellings }) => [name, ...spellings]);
  return names.some((name) => name.toLowerCase() === selector.toLowerCase());
}

function fieldsOf({ payload }: MethodModel): readonly FieldModel[] {
  return payload.kind === "single" ? payload.shape.fields : [];
}
