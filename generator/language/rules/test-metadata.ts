import type { Span } from "../source/index.ts";
import type { MapNode, Node } from "../syntax/index.ts";
import { closest } from "../../../conformance/base/closest.ts";
import { childOf, nameAt } from "../read/access.ts";
import type { Name } from "../spec.ts";
import type { RuleContext } from "./context.ts";
import { memberMismatches, payloadMismatches } from "./examples.ts";
import { checkErrorCode, checkMethodName } from "./references.ts";

/** Samples are those of a resource, each of one; scenarios call methods that there are. */
export function checkTestMetadata(context: RuleContext): void {
  const samples = checkResources(context);
  for (const object of context.objects) {
    for (const { identifies, refersTo } of object.fields) {
      for (const sample of [identifies, refersTo])
        if (sample !== undefined) checkSample(sample, samples, context);
    }
  }
  for (const scenario of context.spec.scenarios) {
    for (const method of scenario.about) checkMethodName(method, context);
    for (const step of scenario.steps) checkStep(step, context);
  }
  for (const { id, cases, untested } of context.spec.requirements) {
    const isTried = cases.length > 0;
    if (isTried === (untested !== undefined))
      context.report("requirement-proof", id.span, { id: id.value, isTried });
    const large = cases.find(({ value }) => idsIn(value) > casesMax);
    if (large !== undefined) context.report("too-many-cases", large.span, { most: casesMax });
  }
}

const casesMax = 10_000;

/** How many ids a packed one stands for, without making them. */
function idsIn(packed: string): number {
  const words = [...packed.matchAll(/\{([^{}]*)\}/g)].map(([, inner = ""]) => inner.split(",").length);
  return words.reduce((product, each) => product * each, 1);
}

/** The members that identify a caller: steps that make a resource may make its caller with it. */
const callerMembers = ["userName", "apiKey", "keyId", "privateKeyPem"];

function checkResources(context: RuleContext): ReadonlyMap<string, Name> {
  const samples = new Map<string, Name>();
  const peerOperations = peerOperationsOf(context.spec);
  for (const { absent, samples: own, made, kept, removed } of context.spec.resources) {
    if (absent !== undefined) checkErrorCode(absent, context);
    const names = new Map(own.map(({ name }) => [name.value, name]));
    for (const [name] of made?.gives ?? [])
      if (!callerMembers.includes(name.value)) checkSample(name, names, context);
    for (const step of [...(made?.steps ?? []), ...(kept?.before ?? []), ...(kept?.after ?? [])])
      checkStep(step, context);
    for (const { operation, steps } of removed) {
      if (!peerOperations.has(operation.value)) checkMethodName(operation, context);
      for (const step of steps) checkStep(step, context);
    }
    for (const { name } of own) {
      const earlier = samples.get(name.value);
      if (earlier === undefined) samples.set(name.value, name);
      else {
        const related = { span: earlier.span, message: "first here" };
        context.report("sample-repeated", name.span, { name: name.value }, related);
      }
    }
  }
  return samples;
}

/** The operations of other interfaces that steps of this one call. */
function peerOperationsOf({ resources, scenarios }: RuleContext["spec"]): ReadonlySet<string> {
  const found = new Set<string>();
  const walk = (node: Node): void => {
    if (node.kind === "list") node.items.forEach(walk);
    if (node.kind !== "map") return;
    for (const { key, value } of node.entries) {
      const isCall = key === "operatorCall" || key === "callerCall";
      if (isCall && value.kind === "scalar") found.add(String(value.value));
      else walk(value);
    }
  };
  for (const { made } of resources) made?.steps.forEach(walk);
  for (const { steps } of scenarios) steps.forEach(walk);
  return found;
}

function checkSample(name: Name, samples: ReadonlyMap<string, Name>, { report }: RuleContext): void {
  if (samples.has(name.value)) return;
  report("unknown-sample", name.span, { name: name.value, suggestion: closest(name.value, samples.keys()) });
}

/** The actions of a step, one each. */
const actions = [
  "call",
  "operatorCall",
  "callerCall",
  "repeat",
  "key",
  "caller",
  "receiver",
  "event",
  "noEvent",
  "wait",
  "mail",
  "check",
  "each",
  "atOnce",
];

/** Names of actions in earlier specs. */
const formerActions = ["operate", "again", "quiet"];

/** The values that each name of an `each` has in turn, where the spec writes them down. */
type Turns = ReadonlyMap<string, readonly Node[]>;

function checkStep(step: Node, context: RuleContext, turns: Turns = new Map()): void {
  if (step.kind !== "map") return;
  const done = step.entries.filter(({ key }) => [...actions, ...formerActions].includes(key));
  const [first, second] = done;
  if (first === undefined || second !== undefined) {
    const found = done.map(({ key }) => key);
    context.report("step-action", second?.keySpan ?? step.span, { found, known: actions });
  }
  for (const { key, value } of step.entries) {
    const text = value.kind === "scalar" && typeof value.value === "string" ? value.value : undefined;
    if (key === "call" && text !== undefined) {
      checkMethodName({ value: text, span: value.span }, context);
      checkPayload(text, step, context, turns);
    }
    if (key !== "each" && key !== "atOnce") continue;
    const steps = value.kind === "map" ? childOf(value, "steps") : value;
    const within = value.kind === "map" ? new Map([...turns, ...turnsOf(value, context)]) : turns;
    for (const inner of steps?.kind === "list" ? steps.items : []) checkStep(inner, context, within);
  }
}

function turnsOf(each: MapNode, { scope }: RuleContext): Turns {
  const name = nameAt(each, "name")?.value ?? "";
  const written = childOf(each, "in");
  if (written?.kind === "list") {
    const isKnown = written.items.every((item) => placeholdersIn(item).length === 0);
    return new Map([[name, isKnown ? written.items : []]]);
  }
  const { shape } = scope.types.get(nameAt(each, "of")?.value ?? "") ?? {};
  if (shape?.kind !== "enum") return new Map([[name, []]]);
  return new Map([
    [name, shape.values.map(({ value }) => ({ kind: "scalar", span: value.span, value: value.value }))],
  ]);
}

/** A payload in each turn of the first `each` that it names a value of; as it stands where it names none. */
function* payloadsInTurns(payload: Node, turns: Turns): Generator<Node, void> {
  const [name, values = []] =
    [...turns].find(([key, known]) => known.length > 0 && namesTurn(payload, key)) ?? [];
  if (name === undefined) {
    yield payload;
    return;
  }
  const rest = new Map([...turns].filter(([key]) => key !== name));
  for (const value of values) yield* payloadsInTurns(withTurn(payload, name, value), rest);
}

function namesTurn(node: Node, name: string): boolean {
  if (node.kind === "list") return node.items.some((item) => namesTurn(item, name));
  if (node.kind === "map") return node.entries.some(({ value }) => namesTurn(value, name));
  return node.kind === "scalar" && node.value === `{{${name}}}`;
}

/** A fault in a value of a turn is shown where the payload names it. */
function withTurn(node: Node, name: string, turn: Node): Node {
  if (node.kind === "list") return { ...node, items: node.items.map((item) => withTurn(item, name, turn)) };
  if (node.kind === "map") {
    const entries = node.entries.map((entry) => ({ ...entry, value: withTurn(entry.value, name, turn) }));
    return { ...node, entries };
  }
  return namesTurn(node, name) ? { ...turn, span: node.span } : node;
}

/**
 * A payload, or members set in one, must fit its operation, unless the step expects an error of wrong input or an
 * earlier one.
 */
function checkPayload(name: string, step: MapNode, { spec, scope, report }: RuleContext, turns: Turns): void {
  const method = spec.methods.find((each) => each.name.value === name);
  const whole = childOf(step, "payload");
  const payload = whole ?? childOf(step, "with");
  const error = nameAt(step, "error")?.value;
  const isUnread = scope.faults?.codes.some(
    ({ fault, code }) => code.value === error && fault.value !== "conflict",
  );
  if (method === undefined || payload?.kind !== "map" || isUnread === true) return;
  const mismatches = whole === undefined ? memberMismatches : payloadMismatches;
  const said = new Set<number>();
  for (const inTurn of payloadsInTurns(payload, turns).take(turnsMax)) {
    const filledIn = placeholdersIn(inTurn);
    for (const { span, ...params } of mismatches(inTurn, method.payload, scope)) {
      const isFilledIn = filledIn.some((each) => each.start <= span.start && span.end <= each.end);
      if (isFilledIn || (turns.size > 0 && said.has(span.start))) continue;
      said.add(span.start);
      report("step-payload", span, { method: name, ...params });
    }
  }
}

/** Turns of nested `each` that a payload is looked at in. */
const turnsMax = 100;

/** Where values stand that are known when the scenario runs: texts with `{{…}}`, and mappings such as `{ $text: … }`. */
function placeholdersIn(node: Node): readonly Span[] {
  switch (node.kind) {
    case "scalar":
      return typeof node.value === "string" && node.value.includes("{{") ? [node.span] : [];
    case "list":
      return node.items.flatMap(placeholdersIn);
    case "map":
      return node.entries.some(({ key }) => key.startsWith("$"))
        ? [node.span]
        : node.entries.flatMap(({ value }) => placeholdersIn(value));
    default:
      return [];
  }
}
