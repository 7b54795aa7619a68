import { omitUndefined } from "../../../conformance/base/omit-undefined.ts";
import {
  errorsOfMethod,
  resolve,
  type ErrorModel,
  type EventModel,
  type MethodModel,
  type ObjectTypeShape,
  type PayloadModel,
  type ServiceModel,
  type Shape,
} from "../../model/index.ts";
import { oncePer } from "../../language/source/once-per.ts";
import type { Change } from "../rules/change.ts";
import { conformed } from "./conform.ts";
import { isRecord } from "./places-in-values.ts";
import { sampleOf, type Revisions, type Shapes } from "./sample.ts";
import { changeExampleAnswer, changeExample } from "./change-examples.ts";
import { protocolOf } from "../../protocols/index.ts";

/** The messages before a change and after it. `after` is absent where nothing takes its place. */
export interface Demonstration {
  readonly what: "Request" | "Answer" | "Event";
  readonly before?: string;
  readonly after?: string;
}

/** Shows a change by the spec's examples; undefined where it does not show in what goes over the wire. */
export function demonstrate(revisions: Revisions, change: Change): Demonstration | undefined {
  if (change.rule.startsWith("error-") || change.rule === "rpc-code-reused")
    return errorShown(revisions, change);
  // Whether a move is possible shows in what is stored, not in what is sent.
  if (change.path.startsWith("states/")) return undefined;
  if (change.direction === "event") return eventShown(revisions, change);
  const pair = methodsOf(revisions, change);
  if (pair === undefined) return undefined;
  if (change.path.includes("/errors/")) return methodErrorShown(revisions, change, pair);
  if (change.direction === "response" || change.rule === "jsonrpc-removed")
    return answerShown(revisions, change, pair);
  return requestShown(revisions, change, pair);
}

interface Methods {
  readonly old?: MethodModel;
  readonly new?: MethodModel;
}

/** The method of a change: of those that reach it, the first with an example. */
function methodsOf({ old, new: recent }: Revisions, { path, reaches, facts }: Change): Methods | undefined {
  const pairs = [...reaches, path.split("/")[0] ?? ""].map((name): Methods => {
    const now = methodsByName(recent).get(name);
    const known = methodsByName(old);
    const before = known.get(name) ?? known.get(now?.renamedFrom ?? "") ?? known.get(facts.from);
    return omitUndefined({ old: before, new: now });
  });
  const known = pairs.filter((pair) => pair.old !== undefined || pair.new !== undefined);
  return known.find((pair) => (pair.old?.examples.length ?? 0) > 0) ?? known[0];
}

const methodsByName = oncePer(
  ({ methods }: ServiceModel) => new Map(methods.map((method) => [method.name, method])),
);

function requestShown(revisions: Revisions, change: Change, methods: Methods): Demonstration {
  const { old, new: recent } = methods;
  if (old === undefined) {
    if (recent === undefined) return { what: "Request" };
    const payload = successOf(recent)?.payload ?? sampleOf(revisions.new, payloadShape(recent.payload));
    return { what: "Request", after: requestText(revisions.new, recent, payload) };
  }
  const shape = payloadShape(old.payload, change);
  const example = successOf(old)?.payload ?? sampleOf(revisions.old, shape);
  if (recent === undefined) return { what: "Request", before: requestText(revisions.old, old, example) };
  const target = payloadShape(recent.payload, change);
  const before = changeExample(revisions, change, { before: shape, now: target }, example);
  const after = conformed(revisions.new, target, before, successOf(recent)?.payload);
  return {
    what: "Request",
    before: requestText(revisions.old, old, before),
    after: requestText(revisions.new, recent, after),
  };
}

function answerShown(
  revisions: Revisions,
  change: Change,
  { old, new: recent }: Methods,
): Demonstration | undefined {
  if (old === undefined || recent === undefined) return undefined;
  const shapes = { before: resultShape(old), now: resultShape(recent) };
  const examples = { before: successOf(old)?.result, now: successOf(recent)?.result };
  const { before, now } = readShown(revisions, change, shapes, examples);
  return {
    what: "Answer",
    before: answerText(revisions.old, old, doubled(revisions.old, shapes.before, before)),
    after: answerText(revisions.new, recent, doubled(revisions.new, shapes.now, now)),
  };
}

function eventShown(revisions: Revisions, change: Change): Demonstration | undefined {
  const [name] = change.reaches;
  const now = revisions.new.events.find((event) => event.name === name);
  const before = revisions.old.events.find((event) => event.name === name || event.name === now?.renamedFrom);
  if (now === undefined || before === undefined) return undefined;
  const shapes = { before: before.payload, now: now.payload };
  const values = readShown(revisions, change, shapes, { before: undefined, now: undefined });
  return {
    what: "Event",
    before: eventText(before, revisions.old, values.before),
    after: eventText(now, revisions.new, values.now),
  };
}

function eventText({ name, payload }: EventModel, model: ServiceModel, value: unknown): string {
  return json({ event: name, payload: doubled(model, payload, value) });
}

/** The values that are read before and after. Where names changed, the same values; else a value that could not come before. */
function readShown(
  revisions: Revisions,
  change: Change,
  shapes: Shapes,
  examples: { readonly before: unknown; readonly now: unknown },
): { readonly before: unknown; readonly now: unknown } {
  const { old, new: recent } = revisions;
  if (/renamed|reused|also-sent-as/.test(change.rule)) {
    const before = examples.before ?? sampleOf(old, shapes.before);
    const shown = changeExample(revisions, change, shapes, before);
    return { before: shown, now: conformed(recent, shapes.now, shown, examples.now) };
  }
  const example = examples.now ?? sampleOf(recent, shapes.now);
  const now = changeExampleAnswer(revisions, change, shapes, example);
  return { before: conformed(old, shapes.before, now, examples.before), now };
}

function errorShown({ old, new: recent }: Revisions, { facts, rule }: Change): Demonstration | undefined {
  const now = recent.errors.find(({ code }) => code === facts.name);
  const before = old.errors.find(({ code }) => code === (rule === "error-renamed" ? facts.from : facts.name));
  return omitUndefined({
    what: "Answer",
    before: before === undefined ? undefined : failureText(old, before),
    after: now === undefined ? undefined : failureText(recent, now),
  });
}

function methodErrorShown(
  { old, new: recent }: Revisions,
  { facts }: Change,
  methods: Methods,
): Demonstration {
  const now = recent.errors.find(({ code }) => code === facts.name);
  const before = old.errors.find(({ code }) => code === facts.name);
  return omitUndefined({
    what: "Answer",
    before: before === undefined ? undefined : failureText(old, before, methods.old),
    after: now === undefined ? undefined : failureText(recent, now, methods.new),
  });
}

function successOf({ examples }: MethodModel): MethodModel["examples"][number] | undefined {
  return examples.find(({ error }) => error === undefined) ?? undefined;
}

/** The one shape of a payload; of several forms the one that the change is in, or else the first. */
function payloadShape(payload: PayloadModel, change?: Change): Shape {
  if (payload.kind === "single")
    return payload.type === undefined ? payload.shape : { kind: "ref", type: payload.type };
  const form = payload.forms.find(({ name }) => change?.path.includes(`[${name}]`)) ?? payload.forms[0];
  const none: ObjectTypeShape = { kind: "object", fields: [], atLeastOneOf: [], exactlyOneOf: [] };
  return form?.shape ?? none;
}

function resultShape({ result, resultType }: MethodModel): Shape {
  return resultType === undefined ? result : { kind: "ref", type: resultType };
}

/** A value as it is sent: what has a second name is there twice. */
function doubled(model: ServiceModel, shape: Shape, value: unknown): unknown {
  const at = resolve(model, shape);
  if (at.kind === "array" && Array.isArray(value))
    return value.map((item: unknown) => doubled(model, at.items, item));
  if (at.kind !== "object" || !isRecord(value)) return value;
  const entries = at.fields.flatMap((field): readonly (readonly [string, unknown])[] => {
    if (!(field.name in value)) return [];
    const held = doubled(model, field.shape, value[field.name]);
    return [
      [field.name, held],
      ...(field.alsoSentAs === undefined ? [] : [[field.alsoSentAs, held] as const]),
    ];
  });
  return Object.fromEntries(entries);
}

/** A request as it goes over the wire. */
export function requestText(model: ServiceModel, method: MethodModel, payload: unknown): string {
  return json(protocolOf(model).exchange.request(method, payload, model));
}

/** A success as it comes back. */
export function answerText(model: ServiceModel, method: MethodModel, result: unknown): string {
  return json(protocolOf(model).exchange.answer(method, result, model));
}

/** A failure as it comes back, with the text that the method gives. */
export function failureText(model: ServiceModel, error: ErrorModel, method?: MethodModel): string {
  const own =
    method === undefined ? undefined : errorsOfMethod(model, method).find(({ code }) => code === error.code);
  return json(protocolOf(model).exchange.failure(error, own?.message ?? error.message, model, method));
}

export function json(value: unknown): string {
  return JSON.stringify(value, null, 2);
}
