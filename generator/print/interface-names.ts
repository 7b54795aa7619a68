import type { ErrorModel, EventModel, FormModel, MethodModel, ServiceModel } from "../model/service-model.ts";

/** The names of what is generated for an interface as a whole and for each of its methods. */
export interface InterfaceNames {
  /** camelCase name of the interface: `ledger`. */
  readonly value: string;
  /** PascalCase name of the interface: `Ledger`. */
  readonly type: string;
  of(method: MethodModel): MethodNames;
  /** The name of what an event carries: `AccountNewEvent`. */
  ofEvent(event: EventModel): string;
  /** The name of what an error of a standard interface carries: `GoneErrorData`. */
  ofErrorData(error: ErrorModel): string;
}

/** The names of one method's generated types. */
export interface MethodNames {
  readonly payload: string;
  readonly result: string;
  readonly handler: string;
  readonly errorCode: string;
  readonly fieldPointer: string;
  /** The name of the security of a standard interface. */
  readonly security: string;
  form(form: FormModel): string;
}

/** Derives all names from the model's, each from those of its own item. */
export function interfaceNames({ name }: Pick<ServiceModel, "name">): InterfaceNames {
  const parts = name.split(/[^A-Za-z0-9]+/).filter((part) => part !== "");
  const type = identifier(parts.map(capitalized).join(""));
  return {
    type,
    value: type.charAt(0).toLowerCase() + type.slice(1),
    of: methodNames,
    ofErrorData: ({ names }) => `${names.type}ErrorData`,
    ofEvent: ({ names }) => `${names.type}Event`,
  };
}

/** A name that is not yet in the set; adds it. */
export function claim(name: string, taken: Set<string>): string {
  let free = name;
  while (taken.has(free)) free += "_";
  taken.add(free);
  return free;
}

function methodNames(method: MethodModel): MethodNames {
  const { type } = method.names;
  return {
    payload: `${type}Payload`,
    result: `${type}Result`,
    handler: `${type}Handler`,
    errorCode: `${type}ErrorCode`,
    fieldPointer: `${type}FieldPointer`,
    security: `${type}Security`,
    form: (form) => `${type}${form.names.type}Payload`,
  };
}

function capitalized(part: string): string {
  return part.charAt(0).toUpperCase() + part.slice(1);
}

function identifier(name: string): string {
  return /^[A-Za-z]/.test(name) ? name : `_${name}`;
}
