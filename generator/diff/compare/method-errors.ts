import {
  errorsOfMethod,
  type ErrorModel,
  type MethodErrorModel,
  type MethodModel,
} from "../../model/index.ts";
import { locate } from "./locate.ts";
import type { Comparison, Places } from "./comparison.ts";
import { normal } from "./documented.ts";
import type { Pair } from "./pair-up.ts";
import { quoted } from "./phrases.ts";

/**
 * The codes that an operation gives and what it says of each. Changes of a code's own declaration (its text, its
 * number, whether every method gives it) are reported there, once.
 */
export function compareMethodErrors(comparison: Comparison, { old, new: recent }: Pair<MethodModel>): void {
  const renamed = renamedErrors(comparison);
  const before = new Map(
    given(comparison.old, old).map((each) => [renamed.get(each.code) ?? each.code, each]),
  );
  const now = new Map(given(comparison.new, recent).map((each) => [each.code, each]));
  for (const code of new Set([...before.keys(), ...now.keys()])) {
    const part: Part = {
      comparison,
      code,
      method: recent.name,
      path: `${recent.name}/errors/${code}`,
      places: {
        old: locate(old.span, "errors", before.get(code)?.code ?? code),
        new: locate(recent.span, "errors", code),
      },
    };
    compareGiven(part, before.get(code), now.get(code));
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

/** A code of a method, as a comparison stands at it. */
interface Part {
  readonly comparison: Comparison;
  readonly code: string;
  readonly method: string;
  readonly path: string;
  readonly places: Places;
}

function given(model: Comparison["old"], method: MethodModel): readonly Given[] {
  return errorsOfMethod(model, method).map((each) => {
    const own = method.errors.find(({ code }) => code === each.code);
    return own === undefined ? each : { ...each, own };
  });
}

function compareGiven(part: Part, old: Given | undefined, recent: Given | undefined): void {
  const { comparison, code, method, path, places } = part;
  const where = { path, facts: { name: code, of: method }, ...places, reaches: [method] };
  if (old !== undefined && recent !== undefined) compareTexts(part, old, recent);
  else if (old === undefined && recent?.declared.everyMethod === false)
    comparison.report("method-error-added", where);
  else if (recent === undefined && old?.declared.everyMethod === false)
    comparison.report("method-error-removed", where);
}

function compareTexts({ comparison, code, method, path, places }: Part, old: Given, recent: Given): void {
  const report = (
    rule:
      | "method-error-message-changed"
      | "method-error-condition-changed"
      | "method-error-restated"
      | "section-changed",
    from: string,
    to: string,
  ): void => {
    const name = rule === "section-changed" ? `\`${code}\` at \`${method}\`` : code;
    comparison.report(rule, { path, facts: { name, of: method, from, to }, ...places, reaches: [method] });
  };
  if (differs("message", old, recent)) {
    report("method-error-message-changed", quoted(old.message), quoted(recent.message));
  }
  if (differs("condition", old, recent)) {
    report("method-error-condition-changed", quoted(old.condition), quoted(recent.condition));
  }
  if ((old.own === undefined) !== (recent.own === undefined)) {
    report("method-error-restated", old.own === undefined ? "" : code, recent.own === undefined ? "" : code);
  } else if (old.own?.section !== recent.own?.section) {
    report("section-changed", old.own?.section ?? "none", recent.own?.section ?? "none");
  }
}

/** Not where the method says what the declaration says, before and after. */
function differs(key: "message" | "condition", old: Given, recent: Given): boolean {
  const follows = old[key] === old.declared[key] && recent[key] === recent.declared[key];
  return !follows && normal(old[key]) !== normal(recent[key]);
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
