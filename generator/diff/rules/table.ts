import {
  directions,
  parties,
  severities,
  worst,
  type Area,
  type Bump,
  type Direction,
  type Effect,
  type Mirror,
  type Party,
  type Rule,
  type Sentence,
  type Severity,
} from "./rule.ts";
import { enumType, objectType } from "./samples.ts";

/** A sentence with `{name}`, `{of}`, `{from}` and `{to}` where the facts stand, or one that depends on them. */
type Text = string | Sentence;

/** How hard it is, and the consequence. */
type EffectText = `${Severity}: ${string}`;

type Example = readonly [before: string, after: string];

interface Texts {
  /** The change in a sentence. */
  readonly says: Text;
  readonly why: string;
  /** Where it is left out, nothing has to be done. */
  readonly todo?: string;
  /** YAML before and after. Where it is left out, that of the first inverse, the other way round. */
  readonly example?: Example;
  /** Where it is left out, the rule of the opposite name (`…-added`, `…-removed`), else the rule itself. */
  readonly inverse?: readonly string[];
}

/** One kind of change. A party that is not named does not notice. */
interface RuleText extends Texts, Readonly<Partial<Record<Party, EffectText | Effect>>> {
  /** Where it is not that of the table. */
  readonly area?: Area;
  readonly mirror?: Mirror;
  /** Where it is neither `major` for what breaks callers or receivers, nor `patch` for texts, nor else `minor`. */
  readonly bump?: Bump;
}

/** A kind of change that is one rule for each direction: `request-…`, `response-…`, `event-…`. */
export interface Family extends Texts {
  readonly directions?: readonly Direction[];
  readonly callersSend: EffectText;
  readonly handlersRead: EffectText;
  /** Effect on handlers that return it, or whose changes are published with it. */
  readonly handlersSend: EffectText;
  /** The effect on callers or receivers who read it; begins in lower case after "Callers " or "Receivers ". */
  readonly othersRead: EffectText;
  /** Whether it offers callers something new. */
  readonly additive?: true;
}

/** The rules of a table by id. Its area and mirror are those of each rule that says no other. */
export function ruleTable<Id extends string>(
  usualArea: Area,
  usualMirror: Mirror,
  texts: Readonly<Record<Id, RuleText>>,
): ReadonlyMap<Id, Rule> {
  return compiled(texts, (text, common) => {
    const { area = usualArea, mirror = usualMirror } = text;
    const effects: Effects = Object.fromEntries(
      parties.flatMap((party) => {
        const effect = text[party];
        if (effect === undefined) return [];
        return [[party, typeof effect === "string" ? effectOf(effect) : effect] as const];
      }),
    );
    const otherwise = area === "texts" ? "patch" : "minor";
    const bump = text.bump ?? bumpOf(effects, { warning: otherwise, info: otherwise });
    return { ...common, area, mirror, effects, bump };
  });
}

/** The rules of a table of families: by name, those of its directions by id. */
export function familyTable<Name extends string>(
  area: Area,
  texts: Readonly<Record<Name, Family>>,
): ReadonlyMap<Name, ReadonlyMap<string, Rule>> {
  return compiled(texts, (family, common, name) => {
    const own = family.directions ?? directions;
    return new Map(
      own.map((direction) => {
        const effects = effectsOf(family, direction);
        const rule: Rule = {
          ...common,
          area,
          effects,
          bump: bumpOf(effects, { warning: "minor", info: family.additive === true ? "minor" : "patch" }),
          before: inType(name, direction, common.before),
          after: inType(name, direction, common.after),
          inverse: common.inverse.map((other) => `${direction}-${other}`),
          mirror: { rule: `${own.find((other) => other !== direction) ?? direction}-${name}` },
        };
        return [`${direction}-${name}`, rule];
      }),
    );
  });
}

type Common = Pick<Rule, "summary" | "why" | "todo" | "before" | "after" | "inverse">;

function compiled<Id extends string, T extends Texts, Made>(
  texts: Readonly<Record<Id, T>>,
  make: (text: T, common: Common, id: Id) => Made,
): ReadonlyMap<Id, Made> {
  const held: ReadonlyMap<string, T> = new Map(Object.entries<T>(texts));
  const made = new Map<Id, Made>();
  for (const id in texts) {
    const text = texts[id];
    const { says, why, todo = "Nothing.", inverse = [oppositeOf(id, held)] } = text;
    const [after, before] = held.get(inverse[0] ?? id)?.example ?? [];
    const [own, others] = text.example ?? [before, after];
    if (own === undefined || others === undefined) throw new Error(`the rule ${id} needs an example`);
    const common = { summary: sentenceOf(says), why, todo, before: own, after: others, inverse };
    made.set(id, make(text, common, id));
  }
  return made;
}

const opposites = [
  ["added", "removed"],
  ["widened", "narrowed"],
  ["set", "unset"],
  ["tightened", "loosened"],
  ["opened", "closed"],
].flatMap(([one = "", other = ""]) => [[one, other] as const, [other, one] as const]);

/** The rule of the opposite name, or else the rule itself. */
function oppositeOf(id: string, held: ReadonlyMap<string, unknown>): string {
  const words = id.split("-");
  for (const [word, other] of opposites) {
    const name = words.map((each) => (each === word ? other : each)).join("-");
    if (name !== id && held.has(name)) return name;
  }
  return id;
}

function sentenceOf(text: Text): Sentence {
  if (typeof text !== "string") return text;
  const parts = text.split(/(\{(?:name|of|from|to)\})/);
  return ({ name, of, from, to }) => {
    const facts: ReadonlyMap<string, string> = new Map([
      ["{name}", name],
      ["{of}", of],
      ["{from}", from],
      ["{to}", to],
    ]);
    return parts.map((part) => facts.get(part) ?? part).join("");
  };
}

function effectOf(text: EffectText): Effect {
  const severity = severities.find((each) => text.startsWith(`${each}: `));
  if (severity === undefined) throw new Error(`no severity in: ${text}`);
  return { severity, consequence: sentenceOf(text.slice(severity.length + 2)) };
}

type Effects = Rule["effects"];

/** Requests come from callers; answers are read by callers, events by receivers, and both are given by handlers. */
function effectsOf(family: Family, direction: Direction): Effects {
  if (direction === "request")
    return { callers: effectOf(family.callersSend), implementers: effectOf(family.handlersRead) };
  const implementers = effectOf(family.handlersSend);
  const { severity, consequence } = effectOf(family.othersRead);
  return direction === "response"
    ? { callers: { severity, consequence: (facts) => `Callers ${consequence(facts)}` }, implementers }
    : { receivers: { severity, consequence: (facts) => `Receivers ${consequence(facts)}` }, implementers };
}

/** For callers and receivers. */
function bumpOf(
  { callers, receivers }: Effects,
  otherwise: { readonly warning: Bump; readonly info: Bump },
): Bump {
  const severity = worst([callers, receivers].map((effect) => effect?.severity ?? "info"));
  return severity === "breaking" ? "major" : otherwise[severity];
}

/** Fields, or enum values, in a type that travels that way and no other. */
function inType(name: string, direction: Direction, text: string): string {
  if (name.includes("enum")) {
    const types = { request: "LoanTerm", response: "LoanState", event: "LoanCause" } as const;
    return enumType(types[direction], "What it can be.", text);
  }
  const types = {
    request: ["LoanRequest", "Asks for a loan."],
    response: ["Loan", "A loan."],
    event: ["LoanEvent", "A loan in a notification."],
  } as const;
  const [type, doc] = types[direction];
  return objectType(type, doc, text);
}
