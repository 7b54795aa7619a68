import { protocolOf } from "../../protocols/index.ts";
import type { ErrorModel } from "../../model/index.ts";
import { locate } from "./locate.ts";
import type { SingleRuleId } from "../rules/index.ts";
import type { Comparison } from "./comparison.ts";
import { compareDocumented, comparePastName, normal } from "./documented.ts";
import { compareGeneratedNames } from "./generated-names.ts";
import { compareSince, compareSunset } from "./deprecation.ts";
import { pairUp } from "./pair-up.ts";
import { code, quoted } from "./phrases.ts";

/** The declared error codes. */
export function compareErrors(comparison: Comparison): void {
  const { old, new: recent, report } = comparison;
  const { pairs, removed, added } = pairUp(old.errors, recent.errors, {
    nameOf: (error) => error.code,
    pastNameOf: ({ renamedFrom }) => renamedFrom,
  });
  for (const error of removed) {
    const path = `errors/${error.code}`;
    const notes = compareSunset(comparison, path, code(error.code), error, recent.span);
    report("error-removed", { path, facts: { name: error.code }, notes, old: error.span, near: recent.span });
  }
  const past = new Set(old.errors.map(({ renamedFrom }) => renamedFrom));
  const numbers = new Map(old.errors.map((error) => [error.rpcCode, error]));
  for (const error of added) {
    const where = { path: `errors/${error.code}`, facts: { name: error.code }, new: error.span };
    report("error-added", where);
    if (past.has(error.code)) report("error-name-reused", where);
    if (error.everyMethod) report("error-every-method-set", where);
    compareSince(comparison, where.path, code(error.code), error);
  }
  for (const { old: before, new: now } of pairs) compareError(comparison, before, now);
  if (protocolOf(recent).errorCode === "number") return;
  const same = new Map(pairs.map((pair) => [pair.new, pair.old]));
  for (const error of recent.errors) {
    const owner = numbers.get(error.rpcCode);
    if (owner === undefined || owner === same.get(error)) continue;
    const facts = { name: error.code, from: owner.code, to: String(error.rpcCode) };
    const places = { old: locate(owner.span, "rpcCode"), new: locate(error.span, "rpcCode") };
    report("rpc-code-reused", { path: `errors/${error.code}`, facts, ...places });
  }
}

function compareError(comparison: Comparison, old: ErrorModel, recent: ErrorModel): void {
  const path = `errors/${recent.code}`;
  const name = recent.code;
  const isRenamed = old.code !== recent.code;
  const report = (rule: SingleRuleId, key: string, from = "", to = ""): void => {
    const places = key === "" ? { old: old.span, new: recent.span } : at(key);
    comparison.report(rule, { path, facts: { name, from, to }, ...places });
  };
  const at = (key: string) => ({ old: locate(old.span, key), new: locate(recent.span, key) });
  if (isRenamed) {
    const isSent = protocolOf(comparison.new).errorCode === "name" && recent.wireCode === undefined;
    report(isSent ? "error-renamed" : "error-renamed-in-code", "", old.code, recent.code);
  } else compareGeneratedNames(comparison, path, name, old, recent);
  compareDocumented(comparison, path, code(name), old, recent);
  comparePastName(comparison, path, code(name), old, recent, isRenamed);
  const texts = [
    ["error-message-changed", "message"],
    ["error-condition-changed", "condition"],
    ["error-action-changed", "action"],
  ] as const;
  for (const [rule, key] of texts) {
    if (normal(old[key]) !== normal(recent[key])) report(rule, key, quoted(old[key]), quoted(recent[key]));
  }
  if (old.httpStatus !== recent.httpStatus) {
    const isSent = [comparison.old, comparison.new].some((model) => protocolOf(model).sendsStatuses(model));
    const rule = isSent ? "error-status-changed" : "error-status-unsent";
    report(rule, "httpStatus", String(old.httpStatus), String(recent.httpStatus));
  }
  if (old.rpcCode !== recent.rpcCode) {
    const isSent = protocolOf(comparison.new).errorCode === "number";
    const [rule, key] = isSent
      ? (["error-code-changed", "code"] as const)
      : (["error-rpc-code-changed", "rpcCode"] as const);
    report(rule, key, String(old.rpcCode), String(recent.rpcCode));
  }
  if (old.wireCode !== recent.wireCode) report("error-code-changed", "code", sentCode(old), sentCode(recent));
  if (old.everyMethod !== recent.everyMethod)
    report(recent.everyMethod ? "error-every-method-set" : "error-every-method-unset", "everyMethod");
}

/** The `error.code` in the signed envelope. */
function sentCode({ code, wireCode }: ErrorModel): string {
  return typeof wireCode === "number" ? String(wireCode) : quoted(wireCode ?? code);
}
