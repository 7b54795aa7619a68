import type { EventModel, MethodModel, ServiceModel, TypeModel } from "../../model/service-model.ts";
import { claim, interfaceNames } from "../../print/interface-names.ts";

/** The names of the constants in `shapes.ts`. */
export interface ShapeNames {
  readonly taken: ReadonlySet<string>;
  type(type: TypeModel): string;
  payload(method: MethodModel): string;
  result(method: MethodModel): string;
  /** Where events are described too. */
  event(event: EventModel): string;
}

export function shapeNames(model: ServiceModel): ShapeNames {
  const taken = new Set<string>();
  const interfaces = interfaceNames(model);
  const types = new Map(model.types.map((type) => [type.name, claim(`${type.names.value}Shape`, taken)]));
  const methods = new Map(
    model.methods.map((method) => {
      const { payload, result } = interfaces.of(method);
      return [method.name, { payload: constant(payload, taken), result: constant(result, taken) }];
    }),
  );
  const events = new Map(
    model.events.map((event) => [event.name, constant(interfaces.ofEvent(event), taken)]),
  );
  return {
    taken,
    type: (type) => known(types.get(type.name)),
    payload: (method) => known(methods.get(method.name)?.payload),
    result: (method) => known(methods.get(method.name)?.result),
    event: (event) => known(events.get(event.name)),
  };
}

function constant(typeName: string, taken: Set<string>): string {
  return claim(`${typeName.charAt(0).toLowerCase()}${typeName.slice(1)}Shape`, taken);
}

function known(name: string | undefined): string {
  if (name === undefined) throw new Error("asked for the shape of something that is not of this model");
  return name;
}
