import type { Node } from "../../syntax/index.ts";
import { closest } from "../closest.ts";
import type { Name } from "../spec.ts";
import type { RuleContext } from "./context.ts";
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
  }
}

/** The members that identify a caller: steps that make a resource may make its caller with it. */
const callerMembers = ["userName", "apiKey", "keyId", "privateKeyPem"];

function checkResources(context: RuleContext): ReadonlyMap<string, Name> {
  const samples = new Map<string, Name>();
  for (const { absent, samples: own, made } of context.spec.resources) {
    if (absent !== undefined) checkErrorCode(absent, context);
    const names = new Map(own.map(({ name }) => [name.value, name]));
    for (const [name] of made?.gives ?? [])
      if (!callerMembers.includes(name.value)) checkSample(name, names, context);
    for (const step of made?.steps ?? []) checkStep(step, context);
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

function checkStep(step: Node, context: RuleContext): void {
  if (step.kind !== "map") return;
  const done = step.entries.filter(({ key }) => [...actions, ...formerActions].includes(key));
  const [first, second] = done;
  if (first === undefined || second !== undefined) {
    const found = done.map(({ key }) => key);
    context.report("step-action", second?.keySpan ?? step.span, { found, known: actions });
  }
  for (const { key, value } of step.entries) {
    const text = value.kind === "scalar" && typeof value.value === "string" ? value.value : undefined;
    if (key === "call" && text !== undefined) checkMethodName({ value: text, span: value.span }, context);
    if (key !== "each" && key !== "atOnce") continue;
    const steps = value.kind === "map" ? value.entries.find((entry) => entry.key === "steps")?.value : value;
    for (const inner of steps?.kind === "list" ? steps.items : []) checkStep(inner, context);
  }
}
