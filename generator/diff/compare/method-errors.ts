import { errorsOfMethod, type MethodModel } from "../../model/index.ts";
import { locate } from "../locate.ts";
import type { Comparison } from "./comparison.ts";
import { normal } from "./documented.ts";
import type { Pair } from "./pair-up.ts";
import { quoted } from "./words.ts";

/**
 * The codes that an operation gives and what it says of each. What a code's own declaration changes for all (its
 * text, its number, whether every method gives it) is reported there, once.
 */
export function compareMethodErrors(comparison: Comparison, { old, new: recent }: Pair<MethodModel>): void {
  const { report, errorPairs } = { ...comparison, errorPairs: renamedErrors(comparison) };
  const before = new Map(
    errorsOfMethod(comparison.old, old).map((each) => [errorPairs.get(each.code) ?? each.code, each]),
  );
  const now = new Map(errorsOfMethod(comparison.new, recent).map((each) => [each.code, each]));
  const path = (code: string): string => `${recent.name}/errors/${code}`;
  const at = (code: string) => ({
    old: locate(old.span, "errors", before.get(code)?.code ?? code),
    new: locate(recent.span, "errors", code),
    reaches: [recent.name],
  });
  for (const [code, { declared }] of now) {
    if (before.has(code) || declared.everyMethod) continue;
    report("method-error-added", { path: path(code), facts: { name: code, of: recent.name }, ...at(code) });
  }
  for (const [code, { declared }] of before) {
    if (now.has(code) || declared.everyMethod) continue;
    report("method-error-removed", { path: path(code), facts: { name: code, of: recent.name }, ...at(code) });
  }
  for (const [code, after] of now) {
    const was = before.get(code);
    if (was === undefined) continue;
    const facts = { name: code, of: recent.name };
    if (differs(was.message, after.message) && !follows("message", was, after)) {
      const texts = { from: quoted(was.message), to: quoted(after.message) };
      report("method-error-message-changed", {
        path: path(code),
        facts: { ...facts, ...texts },
        ...at(code),
      });
    }
    if (differs(was.condition, after.condition) && !follows("condition", was, after)) {
      const texts = { from: quoted(was.condition), to: quoted(after.condition) };
      report("method-error-condition-changed", {
        path: path(code),
        facts: { ...facts, ...texts },
        ...at(code),
      });
    }
  }
}

/** The new codes of errors that were renamed, by their old ones. */
function renamedErrors({ old, new: recent }: Comparison): ReadonlyMap<string, string> {
  const kept = new Set(recent.errors.map(({ code }) => code));
  const known = new Set(old.errors.map(({ code }) => code));
  return new Map(
    recent.errors.flatMap(({ code, renamedFrom }) =>
      renamedFrom === undefined || kept.has(renamedFrom) || !known.has(renamedFrom)
        ? []
        : [[renamedFrom, code] as const],
    ),
  );
}

function differs(a: string, b: string): boolean {
  return normal(a) !== normal(b);
}

type Texts = { readonly message: string; readonly condition: string };
type Given = Texts & { readonly declared: Texts };

/** Whether the method says what the declaration says, before and after. */
function follows(key: "message" | "condition", old: Given, recent: Given): boolean {
  return old[key] === old.declared[key] && recent[key] === recent.declared[key];
}
