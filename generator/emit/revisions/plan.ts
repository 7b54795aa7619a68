import { pairUp, type Pair } from "../../diff/index.ts";
import {
  errorsOfMethod,
  type EventModel,
  type MethodModel,
  type ObjectTypeShape,
  type PayloadModel,
  type ServiceModel,
  type Shape,
} from "../../model/index.ts";
import { interfaceNames } from "../../print/interface-names.ts";
import { Conversions, type Convert, type ConverterFunction, type HandWritten } from "./conversions.ts";
import { errorConversions } from "./errors.ts";
import type { Place } from "./place.ts";
import { renamedFields } from "./renamed-fields.ts";

/** How calls and events of an earlier revision become those of the next one that is served, and back. */
export interface AdapterPlan {
  readonly old: ServiceModel;
  readonly new: ServiceModel;
  readonly methods: readonly MethodPlan[];
  readonly events: readonly EventPlan[];
  readonly functions: readonly ConverterFunction[];
  /** What people have to write. */
  readonly handWritten: readonly HandWritten[];
}

export interface MethodPlan {
  readonly old: MethodModel;
  /** What it is in the later revision; absent where it is no more. */
  readonly new?: MethodModel;
  /** The name of the function that people write in its place. */
  readonly handler?: string;
  readonly up?: Convert;
  readonly down?: Convert;
  /** Whether a request that the earlier revision takes may be one that the later one refuses. */
  readonly checked: boolean;
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

const plans = new WeakMap<ServiceModel, readonly AdapterPlan[]>();

/** How each earlier revision of a model is served, oldest first: each is converted to the next. */
export function adapterPlans(model: ServiceModel): readonly AdapterPlan[] {
  const known = plans.get(model);
  if (known !== undefined) return known;
  const revisions = [...(model.serves ?? []).map((served) => served.model), model];
  const made = revisions.slice(0, -1).map((old, at) => adapterPlan(old, revisions[at + 1] ?? model));
  plans.set(model, made);
  return made;
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
    methods: walked.methods.toSorted((a, b) => (order.get(a.old) ?? 0) - (order.get(b.old) ?? 0)),
    events: walked.events,
    functions: conversions.functions,
    handWritten: conversions.handWritten,
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
  return {
    old,
    new: recent,
    ...(up === undefined ? {} : { up }),
    ...(down === undefined ? {} : { down }),
    checked: up !== undefined || conversions.changes.some((change) => narrows(change, recent)),
    errors: errorConversions(conversions, old, recent),
    renamed: renamedFields(conversions, old, recent),
  };
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
  const asked = conversions.changes.filter(
    ({ path, direction }) => path.startsWith(place.path) && direction !== "response",
  );
  const pairs = formPairs(old, recent);
  const isSame = pairs?.every(([before, now]) => conversions.convert(place, before, now) === undefined);
  return isSame === true ? undefined : conversions.byHand(place, place.new, asked);
}

function payloadShape({ shape, type }: Extract<PayloadModel, { kind: "single" }>): Shape {
  return type === undefined ? shape : { kind: "ref", type };
}

/** Which form of the later revision takes what each of the earlier one has; undefined where one is without heir. */
function formPairs(
  old: PayloadModel,
  recent: PayloadModel,
): readonly (readonly [ObjectTypeShape, ObjectTypeShape])[] | undefined {
  if (recent.kind === "single")
    return old.kind === "single" ? [] : old.forms.map(({ shape }) => [shape, recent.shape]);
  if (old.kind === "single") return undefined;
  const pairs = old.forms.map(({ name, shape }) => {
    const heir = recent.forms.find((form) => form.name === name);
    return heir === undefined ? undefined : ([shape, heir.shape] as const);
  });
  return pairs.every((pair) => pair !== undefined) ? pairs : undefined;
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
    old: eventType("earlier", conversions.old, old),
    new: eventType("later", conversions.new, recent),
    trail: [],
  };
  const down = conversions.convert(place, old.payload, recent.payload);
  return { old, new: recent, ...(down === undefined ? {} : { down }) };
}

/** The type of what an event carries; one written in place has no name of its own. */
function eventType(side: string, model: ServiceModel, { payload }: EventModel): string {
  if (payload.kind !== "ref") return "object";
  const type = model.types.find(({ name }) => name === payload.type);
  return type === undefined ? "object" : `${side}.${type.names.type}`;
}
