import { protocolOf } from "../../protocols/index.ts";
import {
  errorsOfMethod,
  type ErrorModel,
  type MethodErrorModel,
  type MethodModel,
  type ServiceModel,
} from "../../model/index.ts";
import { locate, type Comparison, type Report } from "./comparison.ts";
import { compareDefinitions, compareNamed, differs, normal } from "./definitions.ts";
import { pairUp, type Pair, type Pairs } from "./pair-up.ts";
import { code, quoted, typeText } from "./phrases.ts";
import { compareTravelling } from "./values/texts.ts";
import type { Traversal } from "./values/value-walk.ts";

function pairErrors({ old, new: recent }: Comparison): Pairs<ErrorModel> {
  return pairUp(old.errors, recent.errors, naming);
}

const naming = {
  nameOf: (error: ErrorModel) => error.code,
  pastNameOf: ({ renamedFrom }: ErrorModel) => renamedFrom,
};

/** The declared error codes. */
export function compareErrors(comparison: Comparison): void {
  const { old, new: recent } = comparison;
  const pairs = compareDefinitions(comparison, {
    ...naming,
    old: old.errors,
    new: recent.errors,
    kind: "error",
    path: (error) => `errors/${error.code}`,
    title: (error) => code(error.code),
    reused: "error-name-reused",
  });
  const same = new Map(pairs.map((pair) => [pair.new, pair.old]));
  for (const pair of pairs) compareError(comparison, pair);
  for (const error of recent.errors.filter((each) => each.everyMethod && !same.has(each)))
    comparison.at({ path: `errors/${error.code}`, name: error.code, new: error })("error-every-method-set");
  if (protocolOf(recent).errorCode === "number") return;
  const numbers = new Map(old.errors.map((error) => [error.rpcCode, error]));
  for (const error of recent.errors) {
    const owner = numbers.get(error.rpcCode);
    if (owner === undefined || owner === same.get(error)) continue;
    const thing = { path: `errors/${error.code}`, name: error.code, old: owner, new: error };
    comparison.at(thing)("rpc-code-reused", { from: owner.code, to: String(error.rpcCode) }, "rpcCode");
  }
}

function compareError(comparison: Comparison, { old, new: recent }: Pair<ErrorModel>): void {
  const name = recent.code;
  const thing = { path: `errors/${name}`, name, old, new: recent };
  const isNumbered = protocolOf(comparison.new).errorCode === "number";
  const isNameSent = protocolOf(comparison.new).errorCode === "name" && recent.wireCode === undefined;
  const renamed = isNameSent ? "error-renamed" : "error-renamed-in-code";
  compareNamed(comparison, { ...thing, title: code(name), formerName: old.code, renamed });
  const report = comparison.at(thing);
  for (const key of ["message", "condition", "action"] as const) {
    if (normal(old[key]) !== normal(recent[key]))
      report(`error-${key}-changed`, { from: quoted(old[key]), to: quoted(recent[key]) }, key);
  }
  const isSent = [comparison.old, comparison.new].some((model) => protocolOf(model).sendsStatuses(model));
  const status = isSent ? "error-status-changed" : "error-status-unsent";
  differs(report, status, String(old.httpStatus), String(recent.httpStatus), "httpStatus");
  const [rule, key] = isNumbered
    ? (["error-code-changed", "code"] as const)
    : (["error-rpc-code-changed", "rpcCode"] as const);
  differs(report, rule, String(old.rpcCode), String(recent.rpcCode), key);
  if (old.wireCode !== recent.wireCode)
    report("error-code-changed", { from: sentCode(old), to: sentCode(recent) }, "code");
  if (old.everyMethod !== recent.everyMethod)
    report(recent.everyMethod ? "error-every-method-set" : "error-every-method-unset", {}, "everyMethod");
}

/** The `error.code` in the signed envelope. */
function sentCode({ code: name, wireCode }: ErrorModel): string {
  return typeof wireCode === "number" ? String(wireCode) : quoted(wireCode ?? name);
}

/** Compares the `data` of a standard interface's errors. */
export function compareErrorData(comparison: Comparison, traversal: Traversal): void {
  for (const { old, new: recent } of pairErrors(comparison).pairs) {
    const [before, now] = [old.data, recent.data];
    const name = recent.code;
    const path = `errors/${name}/data`;
    if (before !== undefined && now !== undefined) {
      const places = { old: locate(old.span, "data"), new: locate(recent.span, "data") };
      const of = `the data of ${code(name)}`;
      const sent = { label: name, path, of, direction: "response", places } as const;
      compareTravelling(comparison, traversal, sent, before, now);
    } else {
      const data = before ?? now;
      if (data === undefined) continue;
      const rule = before === undefined ? "error-data-added" : "error-data-removed";
      const text = code(typeText(data));
      comparison.at({ path, name, old, new: recent })(rule, { from: text, to: text }, "data");
    }
  }
}

/** A code as a method gives it. */
interface Given {
  readonly code: string;
  readonly message: string;
  readonly condition: string;
  readonly declared: ErrorModel;
  /** Where the method lists the code itself. */
  readonly own?: MethodErrorModel;
}

/**
 * The codes that an operation gives and what it says of each. Changes of a code's own declaration (its text, its
 * number, whether every method gives it) are reported there, once.
 */
export function compareMethodErrors(comparison: Comparison, { old, new: recent }: Pair<MethodModel>): void {
  const nowCalled = new Map(pairErrors(comparison).pairs.map((pair) => [pair.old.code, pair.new.code]));
  const before = new Map(
    given(comparison.old, old).map((each) => [nowCalled.get(each.code) ?? each.code, each]),
  );
  const now = new Map(given(comparison.new, recent).map((each) => [each.code, each]));
  for (const name of new Set([...before.keys(), ...now.keys()])) {
    const [was, is] = [before.get(name), now.get(name)];
    const report = comparison.at({
      path: `${recent.name}/errors/${name}`,
      name,
      of: recent.name,
      old: { span: locate(old.span, "errors", was?.code ?? name) },
      new: { span: locate(recent.span, "errors", name) },
      reaches: [recent.name],
    });
    if (was !== undefined && is !== undefined)
      compareGiven(report, `\`${name}\` at \`${recent.name}\``, was, is);
    else if (is?.declared.everyMethod === false) report("method-error-added");
    else if (was?.declared.everyMethod === false) report("method-error-removed");
  }
}

function given(model: ServiceModel, method: MethodModel): readonly Given[] {
  return errorsOfMethod(model, method).map((each) => {
    const own = method.errors.find(({ code: name }) => name === each.code);
    return own === undefined ? each : { ...each, own };
  });
}

function compareGiven(report: Report, title: string, old: Given, recent: Given): void {
  for (const key of ["message", "condition"] as const) {
    // Not where the method says what the declaration says, before and after.
    const follows = old[key] === old.declared[key] && recent[key] === recent.declared[key];
    if (!follows && normal(old[key]) !== normal(recent[key]))
      report(`method-error-${key}-changed`, { from: quoted(old[key]), to: quoted(recent[key]) });
  }
  const [before, now] = [old.own, recent.own];
  if ((before === undefined) !== (now === undefined))
    report("method-error-restated", { from: before ? recent.code : "", to: now ? recent.code : "" });
  else if (before?.section !== now?.section)
    report("section-changed", { name: title, from: before?.section ?? "none", to: now?.section ?? "none" });
}
