import { indented, wrapped } from "../../language/diagnostics/explain.ts";
import { rules } from "../rules/index.ts";
import { sentence } from "./reported-diff.ts";
import { parties, type Bump, type Facts, type Party, type Rule, type Severity } from "../rules/rule.ts";
import { createColors } from "../../language/diagnostics/colors.ts";

/** The explanation of a rule of change. */
export interface RuleExplanation {
  readonly rule: string;
  readonly area: string;
  /** The summary of the change, of `x` in `Y`. */
  readonly what: string;
  /** A party that is not named does not notice. */
  readonly parties: {
    readonly [P in Party]?: { readonly severity: Severity; readonly consequence: string };
  };
  /** The version bump of the client. */
  readonly version: Bump;
  readonly why: string;
  readonly todo: string;
  readonly before: string;
  readonly after: string;
  /** The rule for the other direction, or why it does not exist. */
  readonly mirror: string;
}

/** Explains a rule of change: whom it breaks and why; undefined where there is no such rule. */
export function explainRule(id: string): RuleExplanation | undefined {
  const rule = rules.get(id);
  if (rule === undefined) return undefined;
  const facts = placeholders(id);
  return {
    rule: id,
    area: rule.area,
    what: sentence(quotedOnce(rule.summary(facts))),
    parties: Object.fromEntries(
      parties.flatMap((party) => {
        const effect = rule.effects[party];
        return effect === undefined
          ? []
          : [
              [
                party,
                { severity: effect.severity, consequence: quotedOnce(effect.consequence(facts)) },
              ] as const,
            ];
      }),
    ),
    version: rule.bump,
    why: rule.why,
    todo: rule.todo,
    before: rule.before,
    after: rule.after,
    mirror: mirrorText(rule),
  };
}

function mirrorText({ mirror }: Rule): string {
  return "rule" in mirror ? `In the other direction: ${mirror.rule}.` : mirror.waiver;
}

/** Facts that stand for any: `x` of `Y`. All are quoted, so that none reads as a word of the sentence. */
function placeholders(id: string): Facts {
  const any: Facts = { name: "`x`", of: "`Y`", from: "`old`", to: "`new`" };
  if (
    /-when|condition-(?:widened|narrowed|changed)$/.test(id) &&
    !/^transition|^error|^method-error/.test(id)
  )
    return { ...any, from: "when `z` is `A`", to: "when `z` is `B`" };
  if (/-group-/.test(id)) {
    const to = id.includes("-member-") ? "`x`" : "at least one";
    return { ...any, name: "`x` and `z`", from: "at least one", to };
  }
  if (id === "batch-narrowed") return { ...any, from: "up to 50", to: "up to 10" };
  if (id === "batch-widened") return { ...any, from: "up to 10", to: "up to 50" };
  if (/-bound-|constraint/.test(id)) return { ...any, from: "`maxLength: 80`", to: "`maxLength: 40`" };
  if (/-reused$|rpc-code/.test(id)) return { ...any, from: "`z`", to: "`-32020`" };
  return any;
}

/** A sentence whose rule quotes what is quoted already. */
function quotedOnce(text: string): string {
  return text.replaceAll("``", "`");
}

const titles: Readonly<Record<Party, string>> = {
  callers: "Callers",
  implementers: "Implementers",
  receivers: "Receivers",
};

/** An explanation as text, without a line break at the end. */
export function renderRuleExplanation(
  explanation: RuleExplanation,
  options: { readonly color?: boolean } = {},
): string {
  const colors = createColors(options.color ?? false);
  const paint = { breaking: colors.red, warning: colors.yellow, info: colors.blue };
  const { rule, area, what, version, why, todo, before, after, mirror } = explanation;
  const effects = parties.flatMap((party) => {
    const effect = explanation.parties[party];
    if (effect === undefined) return [];
    return [`${titles[party]}: ${paint[effect.severity](effect.severity)}. ${effect.consequence}`];
  });
  return [
    `${colors.bold(rule)} (a change of ${area})`,
    "",
    wrapped(what),
    "",
    ...effects.map(wrapped),
    `Client version: ${version}.`,
    "",
    wrapped(why),
    "",
    wrapped(`What to do: ${todo}`),
    "",
    "Before:",
    indented(before),
    "",
    "After:",
    indented(after),
    "",
    wrapped(mirror),
  ].join("\n");
}
