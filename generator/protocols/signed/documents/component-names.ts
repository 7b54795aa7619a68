import type { EventModel, MethodModel, ServiceModel } from "../../../model/service-model.ts";
import { claim, interfaceNames, type InterfaceNames } from "../../../print/interface-names.ts";

/** Names of the document's components: typed clients name their types after them. */
export interface ComponentNames {
  readonly types: InterfaceNames;
  /** What an answer has in its `error`. */
  readonly error: string;
  /** What an error has in its `data`. */
  readonly errorData: string;
  /** `params.api` of the methods that require the same members of it. */
  api(required: readonly string[]): string;
  of(method: MethodModel): {
    /** The body of a call, and its `params`. */
    readonly request: string;
    readonly params: string;
    /** The body of its answer: a result or an error. */
    readonly response: string;
  };
  /** The body that an event is posted with. */
  notification(event: EventModel): string;
}

/** Names that differ from each other and from those of the schemas' definitions. */
export function componentNames(model: ServiceModel, definitions: readonly string[]): ComponentNames {
  const types = interfaceNames(model);
  const taken = new Set([
    ...definitions,
    ...model.methods.flatMap((method) => [types.of(method).payload, types.of(method).result]),
    ...model.events.map((event) => types.ofEvent(event)),
  ]);
  const error = claim(`${types.type}Error`, taken);
  const errorData = claim(`${types.type}ErrorData`, taken);
  const methods = new Map(
    model.methods.map(({ name, names: { type } }) => [
      name,
      {
        request: claim(`${type}Request`, taken),
        params: claim(`${type}RequestParams`, taken),
        response: claim(`${type}Response`, taken),
      },
    ]),
  );
  const notifications = new Map(
    model.events.map(({ name, names: { type } }) => [name, claim(`${type}Notification`, taken)]),
  );
  const apis = apiNames(model, `${types.type}Api`, taken);
  return {
    types,
    error,
    errorData,
    api: (required) => known(apis, required.join()),
    of: (method) => known(methods, method.name),
    notification: (event) => known(notifications, event.name),
  };
}

/** The members that every method requires have the plain name, others say what they have besides: `LedgerApiWithApiKey`. */
function apiNames(model: ServiceModel, plain: string, taken: Set<string>): ReadonlyMap<string, string> {
  const all = model.methods.flatMap(({ transport }) =>
    transport.kind === "enveloped" ? [transport.auth] : [],
  );
  const sets = [...new Map(all.map((required) => [required.join(), required])).values()];
  const common = new Set((sets[0] ?? []).filter((name) => sets.every((set) => set.includes(name))));
  return new Map(
    sets.map((set) => {
      const more = set
        .filter((name) => !common.has(name))
        .map((name) => `${name.charAt(0).toUpperCase()}${name.slice(1)}`);
      return [set.join(), claim(more.length === 0 ? plain : `${plain}With${more.join("And")}`, taken)];
    }),
  );
}

function known<Value>(map: ReadonlyMap<string, Value>, key: string): Value {
  const value = map.get(key);
  if (value === undefined) throw new Error(`${key} is not of this model`);
  return value;
}
