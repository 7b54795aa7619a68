import type {
  EventModel,
  MethodModel,
  ObjectTypeShape,
  PayloadModel,
  ServiceModel,
  Shape,
} from "../../model/index.ts";
import { resolve } from "../../model/index.ts";
import type { Change } from "../change.ts";
import { conformed, isRecord } from "./conform.ts";
import { answerText, failureText, json, requestText } from "./exchanges.ts";
import { shapeAt, valueAt, wayToType, withValueAt, type ValuePath } from "./places-in-values.ts";
import { isOfType, sampleOf } from "./sample.ts";

/** What goes over the wire before a change and after it. `after` is absent where nothing takes its place. */
export interface Demonstration {
  readonly what: "Request" | "Answer" | "Event";
  readonly before?: string;
  readonly after?: string;
}

export interface Revisions {
  readonly old: ServiceModel;
  readonly new: ServiceModel;
}

/** Shows a change by the spec's examples; undefined where it does not show in what goes over the wire. */
export function demonstrate(revisions: Revisions, change: Change): Demonstration | undefined {
  if (change.rule.startsWith("error-") || change.rule === "rpc-code-reused")
    return errorShown(revisions, change);
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
    const now = recent.methods.find((method) => method.name === name);
    const past = now?.renamedFrom;
    const before = old.methods.find(
      (method) => method.name === name || method.name === past || method.name === facts.from,
    );
    return { ...(before && { old: before }), ...(now && { new: now }) };
  });
  const known = pairs.filter((pair) => pair.old !== undefined || pair.new !== undefined);
  return known.find((pair) => (pair.old?.examples.length ?? 0) > 0) ?? known[0];
}

function requestShown(revisions: Revisions, change: Change, methods: Methods): Demonstration {
  const { old, new: recent } = methods;
  if (old === undefined) {
    if (recent === undefined) return { what: "Request" };
    const payload = successOf(recent)?.payload ?? sampleOf(revisions.new, payloadShape(recent.payload));
    return { what: "Request", after: requestText(recent, payload) };
  }
  const shape = payloadShape(old.payload, change);
  const example = successOf(old)?.payload ?? sampleOf(revisions.old, shape);
  if (recent === undefined) return { what: "Request", before: requestText(old, example) };
  const target = payloadShape(recent.payload, change);
  const before = touched(revisions, change, { before: shape, now: target }, example);
  const after = conformed(revisions.new, target, before, successOf(recent)?.payload);
  return { what: "Request", before: requestText(old, before), after: requestText(recent, after) };
}

function answerShown(
  revisions: Revisions,
  change: Change,
  { old, new: recent }: Methods,
): Demonstration | undefined {
  if (old === undefined || recent === undefined) return undefined;
  const example = successOf(old)?.result ?? sampleOf(revisions.old, old.result);
  const before = touched(revisions, change, { before: resultShape(old), now: resultShape(recent) }, example);
  const after = conformed(revisions.new, resultShape(recent), before, successOf(recent)?.result);
  return {
    what: "Answer",
    before: answerText(old, doubled(revisions.old, resultShape(old), before)),
    after: answerText(recent, doubled(revisions.new, resultShape(recent), after)),
  };
}

function eventShown(revisions: Revisions, change: Change): Demonstration | undefined {
  const name = change.reaches[0];
  const now = revisions.new.events.find((event) => event.name === name);
  const before = revisions.old.events.find((event) => event.name === name || event.name === now?.renamedFrom);
  if (now === undefined || before === undefined) return undefined;
  const example = sampleOf(revisions.old, before.payload);
  const value = touched(revisions, change, { before: before.payload, now: now.payload }, example);
  const after = conformed(revisions.new, now.payload, value, undefined);
  const text = (event: EventModel, model: ServiceModel, payload: unknown): string =>
    json({ event: event.name, payload: doubled(model, event.payload, payload) });
  return {
    what: "Event",
    before: text(before, revisions.old, value),
    after: text(now, revisions.new, after),
  };
}

function errorShown({ old, new: recent }: Revisions, { facts, rule }: Change): Demonstration | undefined {
  const now = recent.errors.find(({ code }) => code === facts.name);
  const before = old.errors.find(({ code }) => code === (rule === "error-renamed" ? facts.from : facts.name));
  return {
    what: "Answer",
    ...(before === undefined ? {} : { before: failureText(old, before) }),
    ...(now === undefined ? {} : { after: failureText(recent, now) }),
  };
}

function methodErrorShown(
  { old, new: recent }: Revisions,
  { facts }: Change,
  methods: Methods,
): Demonstration {
  const now = recent.errors.find(({ code }) => code === facts.name);
  const before = old.errors.find(({ code }) => code === facts.name);
  return {
    what: "Answer",
    ...(before === undefined ? {} : { before: failureText(old, before, methods.old) }),
    ...(now === undefined ? {} : { after: failureText(recent, now, methods.new) }),
  };
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

/** The example with what changed in it, where that can be there: a value that shows the change. */
function touched(
  { old, new: recent }: Revisions,
  change: Change,
  shapes: { readonly before: Shape; readonly now: Shape },
  example: unknown,
): unknown {
  const way = wayTo(old, change, shapes.before);
  if (way === undefined) return example;
  const shape = shapeAt(old, shapes.before, way);
  if (shape === undefined) return example;
  const target = shapeAt(recent, shapes.now, wayTo(recent, change, shapes.now) ?? way);
  const present = valueAt(example, way);
  if (change.rule.endsWith("field-optional-to-required")) return withoutValueAt(example, way);
  const telling = tellingValue(old, recent, change, shape, target, present);
  return telling === undefined ? example : withValueAt(example, way, telling);
}

/** From the top of a payload or result to what the change is in. */
function wayTo(model: ServiceModel, { path, facts }: Change, top: Shape): ValuePath | undefined {
  const parts = path
    .split("/")
    .flatMap((part) =>
      part.endsWith("[]")
        ? [part.replaceAll("[]", ""), ...(part.match(/\[\]/g) ?? []).map(() => 0 as const)]
        : [part],
    );
  if (parts[0] !== "types") {
    const at = parts.findIndex((part) => /^(?:payload(?:\[.*\])?|result)$/.test(String(part)));
    return at === -1 ? undefined : existing(model, top, parts.slice(at + 1), facts.from);
  }
  const [, name, ...rest] = parts;
  const type = model.types.find((each) => each.name === name || each.name === facts.from) ?? undefined;
  const start = type === undefined ? undefined : wayToType(model, top, type.name);
  if (start === undefined || type === undefined) return undefined;
  const isEnum = resolve(model, type.shape).kind === "enum";
  return existing(model, top, isEnum ? start : [...start, ...rest], facts.from);
}

/** The way, with its last step by its old name where it has no other. */
function existing(model: ServiceModel, top: Shape, way: ValuePath, from: string): ValuePath | undefined {
  if (shapeAt(model, top, way) !== undefined) return way;
  const other = [...way.slice(0, -1), from];
  return shapeAt(model, top, other) === undefined ? undefined : other;
}

/** A value that was right and no longer is; else what is there, or a sample. */
function tellingValue(
  old: ServiceModel,
  recent: ServiceModel,
  { rule, facts }: Change,
  shape: Shape,
  target: Shape | undefined,
  present: unknown,
): unknown {
  if (rule.includes("enum-value-removed") || rule.includes("enum-value-renamed")) return facts.from;
  const value = present ?? sampleOf(old, shape);
  if (target === undefined) return value;
  const [before, now] = [resolve(old, shape), resolve(recent, target)];
  if (before.kind === "object" || before.kind === "array" || now.kind === "object" || now.kind === "array")
    return value;
  const candidates = [value, ...beyond(now)];
  return candidates.find((each) => isOfType(before, each) && !isOfType(now, each)) ?? value;
}

/** Values just beyond what a shape takes. */
function beyond(
  shape: Exclude<ReturnType<typeof resolve>, { kind: "object" | "array" }>,
): readonly unknown[] {
  if (shape.kind === "string") {
    const { lengthMax, lengthMin } = shape;
    const long = lengthMax === undefined || lengthMax > 80 ? [] : ["x".repeat(lengthMax + 1)];
    return [
      ...long,
      ...(lengthMin === undefined ? [] : ["x".repeat(Math.max(0, lengthMin - 1))]),
      "other",
      "OTHER",
    ];
  }
  if (shape.kind === "enum") return ["other"];
  if (shape.kind === "boolean") return [true, false];
  const { minimum, maximum } = shape;
  return [
    ...(maximum === undefined ? [] : [maximum + 1]),
    ...(minimum === undefined ? [] : [minimum - 1]),
    0.5,
    7,
  ];
}

function withoutValueAt(value: unknown, way: ValuePath): unknown {
  const [first, ...rest] = way;
  if (first === undefined) return value;
  if (first === 0) return Array.isArray(value) ? [withoutValueAt(value[0], rest), ...value.slice(1)] : value;
  if (!isRecord(value)) return value;
  if (rest.length > 0) return { ...value, [first]: withoutValueAt(value[first], rest) };
  return Object.fromEntries(Object.entries(value).filter(([key]) => key !== first));
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
