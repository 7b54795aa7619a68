import { payloadShapes, resolve } from "../../model/resolve.ts";
import { pairUp, type Change, type Pair } from "../../diff/index.ts";
import {
  errorsOfMethod,
  type EventModel,
  type FieldModel,
  type MethodModel,
  type ObjectTypeShape,
  type PayloadModel,
  type ServiceModel,
  type Shape,
} from "../../model/index.ts";
import { interfaceNames } from "../../print/interface-names.ts";
import { memberName } from "../../print/literals.ts";
import { layOut } from "../../print/layout.ts";
import { typeExpression, typeNames } from "../../print/type-expression.ts";
import { fieldVariants, mergedField } from "../shapes/shape-declarations.ts";
import { conversionOf } from "./by-rule.ts";
import { Conversions } from "./conversions.ts";
import { byHandName, type Convert, type ConverterFunction, type HandWritten } from "./converter.ts";
import { errorConversions } from "./errors.ts";
import type { Place } from "./place.ts";
import { renamedFields } from "./renamed-fields.ts";
import { omitUndefined } from "../../../conformance/base/omit-undefined.ts";

/** How calls and events of an earlier revision become those of the next one that is served, and back. */
export interface AdapterPlan {
  readonly old: ServiceModel;
  readonly new: ServiceModel;
  readonly changes: readonly Change[];
  readonly methods: readonly MethodPlan[];
  readonly events: readonly EventPlan[];
  readonly functions: readonly ConverterFunction[];
  /** Types that have no name elsewhere. */
  readonly aliases: ReadonlyMap<string, string>;
  /** The functions that people have to write. */
  readonly handWritten: readonly HandWritten[];
}

export interface MethodPlan {
  readonly old: MethodModel;
  /** The part of the later revision; absent where it was removed. */
  readonly new?: MethodModel;
  /** The name of the function that people write in its place. */
  readonly handler?: string;
  readonly up?: Convert;
  readonly down?: Convert;
  /** Whether a request that the earlier revision takes may be one that the later one refuses. */
  readonly checked: boolean;
  /** The name of the function that people may write for requests that the later revision refuses. */
  readonly adapt?: string;
  /** The error that the later revision gives for a page without items, and the result in its place, as an expression. */
  readonly emptyPage?: { readonly code: string; readonly result: string };
  /** Codes of the later revision that the earlier one does not know here, each with the one sent instead. */
  readonly errors: ReadonlyMap<string, string>;
  /** Where renamed fields stand in the later payload, each with its earlier name. */
  readonly renamed: ReadonlyMap<string, string>;
}

export interface EventPlan {
  readonly old: EventModel;
  readonly new: EventModel;
  readonly down?: Convert;
}

/** How each earlier revision of a model is served, oldest first: each is converted to the next. */
export function adapterPlans(model: ServiceModel): readonly AdapterPlan[] {
  const revisions = [...(model.serves ?? []).map((served) => served.model), model];
  return revisions.slice(0, -1).map((old, at) => adapterPlan(old, revisions[at + 1] ?? model));
}

/** How one revision is converted to another. */
export function adapterPlan(old: ServiceModel, recent: ServiceModel): AdapterPlan {
  const conversions = new Conversions(old, recent);
  const { pairs: paired, removed } = pairUp(old.methods, recent.methods, {
    nameOf: ({ name }) => name,
    pastNameOf: ({ renamedFrom }) => renamedFrom,
  });
  const isGone = ({ new: now }: Pair<MethodModel>) => conversions.askedAt("method", now.name).length > 0;
  const pairs = paired.filter((pair) => !isGone(pair));
  const gone = [...removed, ...paired.filter(isGone).map((pair) => pair.old)];
  const events = pairUp(old.events, recent.events, {
    nameOf: ({ name }) => name,
    pastNameOf: ({ renamedFrom }) => renamedFrom,
  });
  const walked = conversions.settle(() => ({
    methods: [
      ...pairs.map((pair) => methodPlan(pair, conversions)),
      ...gone.map((method) => gonePlan(method, conversions)),
    ],
    events: events.pairs.map((pair) => eventPlan(pair, conversions)),
  }));
  const order = new Map(old.methods.map((method, at) => [method, at]));
  return {
    old,
    new: recent,
    changes: conversions.changes,
    methods: walked.methods.toSorted((a, b) => (order.get(a.old) ?? 0) - (order.get(b.old) ?? 0)),
    events: walked.events,
    ...usedOf(conversions, [
      ...walked.methods.flatMap(({ up, down }) => [up, down]),
      ...walked.methods.map(({ emptyPage }) => emptyPage && (() => emptyPage.result)),
      ...walked.events.map(({ down }) => down),
    ]),
  };
}

/** Functions that converters call, directly or not. */
function usedOf(
  conversions: Conversions,
  converts: readonly Convert[],
): Pick<AdapterPlan, "functions" | "handWritten" | "aliases"> {
  const texts = converts.flatMap((convert) => convert?.("value") ?? []);
  const isNamed = (name: string, before = String.raw`(?<![\w$])(?<!(?<!\.\.)\.)`): boolean => {
    const named = new RegExp(`${before}${name.replaceAll("$", String.raw`\$`)}(?![\\w$])`);
    return texts.some((text) => named.test(text));
  };
  const functions = new Set<ConverterFunction>();
  for (let known = -1; known < functions.size;) {
    known = functions.size;
    for (const each of conversions.functions) {
      if (functions.has(each) || !isNamed(each.name)) continue;
      functions.add(each);
      texts.push(each.body, each.takes, each.gives);
    }
  }
  return {
    functions: conversions.functions.filter((each) => functions.has(each)),
    handWritten: conversions.handWritten.filter(
      ({ name, handler, isOptional }) =>
        handler !== undefined || isOptional === true || isNamed(name, String.raw`\b${byHandName}\.`),
    ),
    aliases: new Map([...conversions.aliases].filter(([name]) => isNamed(name))),
  };
}

function methodPlan({ old, new: recent }: Pair<MethodModel>, conversions: Conversions): MethodPlan {
  const names = {
    old: interfaceNames(conversions.old).of(old),
    new: interfaceNames(conversions.new).of(recent),
  };
  const up = payloadConversion(
    {
      way: "up",
      path: `${recent.name}/payload`,
      name: names.new.payload,
      old: `earlier.${names.old.payload}`,
      new: `later.${names.new.payload}`,
      trail: [],
    },
    old.payload,
    recent.payload,
    conversions,
  );
  const down = conversions.convert(
    {
      way: "down",
      path: `${recent.name}/result`,
      name: names.new.result,
      old: `earlier.${names.old.result}`,
      new: `later.${names.new.result}`,
      trail: [],
    },
    resultShape(old),
    resultShape(recent),
  );
  const adapt = tightenedHook(conversions, recent, `later.${names.new.payload}`);
  return omitUndefined({
    old,
    new: recent,
    adapt,
    up,
    down,
    emptyPage: emptyPageOf(conversions, old, recent, `earlier.${names.old.result}`),
    checked: up !== undefined || conversions.changes.some((change) => narrows(change, recent)),
    errors: errorConversions(conversions, old, recent),
    renamed: renamedFields(conversions, old, recent),
  });
}

/** An earlier revision has no error for a page without items: its callers get the list, empty. */
function emptyPageOf(
  conversions: Conversions,
  old: MethodModel,
  recent: MethodModel,
  result: string,
): MethodPlan["emptyPage"] {
  const code = recent.paging?.empty;
  if (code === undefined || old.paging === undefined || old.paging.empty !== undefined) return undefined;
  const { items } = old.paging;
  const shape = resolve(conversions.old, resultShape(old));
  const others =
    shape.kind === "object"
      ? shape.fields.filter(({ name, presence }) => name !== items && presence.kind === "required")
      : [];
  if (shape.kind === "object" && others.length === 0)
    return { code, result: `({ ${memberName(items)}: [] })` };
  const name = conversions.nameFor(`empty ${recent.name}`, `empty${recent.names.type}`);
  const changes = conversions.changes.filter(
    ({ rule, path }) => rule === "empty-page-changed" && path === recent.name,
  );
  conversions.addHandWritten({ name, takes: "undefined", gives: result, changes });
  return { code, result: `${byHandName}.${name}(undefined)` };
}

/** Has people write, if they want to, what becomes of requests that the later revision has become too strict for. */
function tightenedHook(conversions: Conversions, recent: MethodModel, payload: string): string | undefined {
  const changes = conversions.changes.filter(
    (change) => narrows(change, recent) && conversionOf(change)?.conversion === "refused",
  );
  if (changes.length === 0) return undefined;
  const { type } = recent.names;
  const name = conversions.nameFor(`adapt ${recent.name}`, `adapt${type}`);
  conversions.addHandWritten({ name, takes: payload, gives: payload, changes, isOptional: true });
  return name;
}

/** Whether a change may make the later revision refuse a request that the earlier one takes. */
function narrows(
  { direction, reaches, path }: Conversions["changes"][number],
  { name }: MethodModel,
): boolean {
  return reaches.includes(name) && (direction === "request" || path.startsWith(`${name}/payload`));
}

function resultShape({ result, resultType }: MethodModel): Shape {
  return resultType === undefined ? result : { kind: "ref", type: resultType };
}

function payloadConversion(
  place: Place,
  old: PayloadModel,
  recent: PayloadModel,
  conversions: Conversions,
): Convert {
  if (old.kind === "single" && recent.kind === "single")
    return conversions.convert(place, payloadShape(old), payloadShape(recent));
  const [before, now] = [mergedForms(old), mergedForms(recent)];
  const merged = before && now && conversions.convertMerged(place, before, now);
  if (merged !== undefined) return merged.convert;
  const isSame = payloadShapes(old).every((shape) =>
    payloadShapes(recent).some((successor) => conversions.convert(place, shape, successor) === undefined),
  );
  if (isSame && conversions.askedAt("up", place.path).length === 0) return undefined;
  const [method = ""] = place.path.split("/payload");
  const asked = conversions.changes.filter(
    ({ path, direction, reaches }) =>
      reaches.includes(method) && (direction === "request" || path.startsWith(place.path)),
  );
  return conversions.byHand(place, place.new, asked);
}

/**
 * All fields that any form has; what is not required in all of them is optional. Undefined where a name is of one type
 * in one form, and of another in another.
 */
function mergedForms(payload: PayloadModel): ObjectTypeShape | undefined {
  const shapes = payloadShapes(payload);
  const types = new Map<string, string>();
  for (const { name, shape } of shapes.flatMap(({ fields }) => fields)) {
    const text = JSON.stringify(shape, (key, value: unknown) =>
      key === "span" || key === "doc" ? undefined : value,
    );
    if ((types.get(name) ?? text) !== text) return undefined;
    types.set(name, text);
  }
  const isRequired = (name: string): boolean =>
    shapes.every(({ fields }) =>
      fields.some((field) => field.name === name && field.presence.kind === "required"),
    );
  const fields = fieldVariants(shapes).map((variants): FieldModel => {
    const field = mergedField(variants);
    return isRequired(field.name) ? field : { ...field, presence: { kind: "optional" } };
  });
  return { kind: "object", fields, atLeastOneOf: [], exactlyOneOf: [] };
}

function payloadShape({ shape, type }: Extract<PayloadModel, { kind: "single" }>): Shape {
  return type === undefined ? shape : { kind: "ref", type };
}

function gonePlan(method: MethodModel, conversions: Conversions): MethodPlan {
  const handler = conversions.nameFor(`handler ${method.name}`, method.names.value);
  const names = interfaceNames(conversions.old).of(method);
  conversions.addHandWritten({
    name: handler,
    takes: `earlier.${names.payload}`,
    gives: `earlier.${names.result}`,
    changes: conversions.askedAt("method", method.name),
    handler: {
      method: method.name,
      errorCodes: errorsOfMethod(conversions.old, method).map(({ code }) => code),
      context: method.effect === "read" ? "read" : "write",
    },
  });
  return { old: method, handler, checked: false, errors: new Map(), renamed: new Map() };
}

function eventPlan({ old, new: recent }: Pair<EventModel>, conversions: Conversions): EventPlan {
  const place: Place = {
    way: "down",
    path: `events/${recent.name}/payload`,
    name: `${recent.names.type}Event`,
    old: eventType("earlier", conversions.old, old, conversions),
    new: eventType("later", conversions.new, recent, conversions),
    trail: [],
  };
  const down = conversions.convert(place, old.payload, recent.payload);
  return omitUndefined({ old, new: recent, down });
}

/** The type of what an event carries; one written in place gets a name of its own. */
function eventType(
  side: "earlier" | "later",
  model: ServiceModel,
  { payload, names }: EventModel,
  conversions: Conversions,
): string {
  if (payload.kind === "ref") {
    const type = model.types.find(({ name }) => name === payload.type);
    if (type !== undefined) return `${side}.${type.names.type}`;
  }
  const types = new Map([...typeNames(model)].map(([name, type]) => [name, `${side}.${type}`]));
  const text = layOut(typeExpression(payload, types, { money: "Decimal", doubledSpellings: false }));
  const alias = `${side === "earlier" ? "Earlier" : "Later"}${names.type}Event`;
  conversions.addAlias(alias, text);
  return alias;
}
