import type { ErrorModel, Shape } from "../../model/index.ts";
import { locate } from "./locate.ts";
import type { Comparison } from "./comparison.ts";
import { pairUp } from "./pair-up.ts";
import { code, typeText } from "./phrases.ts";
import { compareSent } from "./values/sent-value.ts";
import type { Traversal } from "./values/value-walk.ts";

/** Compares the `data` of a standard interface's errors. */
export function compareErrorData(comparison: Comparison, traversal: Traversal): void {
  const { pairs } = pairUp(comparison.old.errors, comparison.new.errors, {
    nameOf: (error) => error.code,
    pastNameOf: ({ renamedFrom }) => renamedFrom,
  });
  for (const { old, new: recent } of pairs) {
    const places = { old: locate(old.span, "data"), new: locate(recent.span, "data") };
    if (old.data !== undefined && recent.data !== undefined) {
      compareData(comparison, traversal, recent, places, [old.data, recent.data]);
      continue;
    }
    const data = old.data ?? recent.data;
    if (data === undefined) continue;
    const rule = old.data === undefined ? "error-data-added" : "error-data-removed";
    const text = code(typeText(data));
    const facts = { name: recent.code, from: text, to: text };
    comparison.report(rule, { path: `errors/${recent.code}/data`, facts, ...places });
  }
}

function compareData(
  comparison: Comparison,
  traversal: Traversal,
  error: ErrorModel,
  places: Pick<Parameters<Comparison["add"]>[0], "old" | "new">,
  [before, now]: readonly [Shape, Shape],
): void {
  const path = `errors/${error.code}/data`;
  const sent = { path, of: `the data of \`${error.code}\``, places, reaches: error.code };
  if (compareSent(comparison, traversal, sent, [before, now])) return;
  const facts = { name: "data", of: code(error.code), from: code(typeText(before)), to: code(typeText(now)) };
  comparison.report("named-type-changed", { path, facts, ...places });
}
