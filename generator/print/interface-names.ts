import type { ErrorModel, EventModel, FormModel, MethodModel, ServiceModel } from "../model/service-model.ts";
import { oncePer } from "../source/once-per.ts";

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

/** The names of one method's generated types. No two types of an interface share a name. */
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

/** Derives all names from the model's. A derived name that a named type already has gets an underscore. */
export const interfaceNames = oncePer(derivedNames);

function derivedNames(model: ServiceModel): InterfaceNames {
  const taken = new Set(model.types.map((type) => type.names.type));
  const methods = new Map(model.methods.map((method) => [method.name, methodNames(method, taken)]));
  const events = new Map(model.events.map((event) => [event.name, claim(`${event.names.type}Event`, taken)]));
  const data = new Map(
    model.errors.flatMap(({ code, names, data: shape }) =>
      shape === undefined ? [] : [[code, claim(`${names.type}ErrorData`, taken)] as const],
    ),
  );
  const parts = model.name.split(/[^A-Za-z0-9]+/).filter((part) => part !== "");
  const type = identifier(parts.map(capitalized).join(""));
  return {
    type,
    value: type.charAt(0).toLowerCase() + type.slice(1),
    of(method) {
      const names = methods.get(method.name);
      if (names === undefined) throw new Error(`method ${method.name} is not of this model`);
      return names;
    },
    ofErrorData({ code }) {
      const name = data.get(code);
      if (name === undefined) throw new Error(`error ${code} of this model carries no data`);
      return name;
    },
    ofEvent(event) {
      const name = events.get(event.name);
      if (name === undefined) throw new Error(`event ${event.name} is not of this model`);
      return name;
    },
  };
}

/** A name that is not yet in the set; adds it. */
export function claim(name: string, taken: Set<string>): string {
  let free = name;
  while (taken.has(free)) free += "_";
  taken.add(free);
  return free;
}

function methodNames(method: MethodModel, taken: Set<string>): MethodNames {
  const { type } = method.names;
  const forms = method.payload.kind === "forms" ? method.payload.forms : [];
  const names = new Map(forms.map((form) => [form.name, claim(formType(type, form), taken)]));
  return {
    payload: claim(`${type}Payload`, taken),
    result: claim(`${type}Result`, taken),
    handler: claim(`${type}Handler`, taken),
    errorCode: claim(`${type}ErrorCode`, taken),
    fieldPointer: claim(`${type}FieldPointer`, taken),
    security: claim(`${type}Security`, taken),
    form: (form) => names.get(form.name) ?? formType(type, form),
  };
}

function formType(type: string, form: FormModel): string {
  return `${type}${form.names.type}Payload`;
}

function capitalized(part: string): string {
  return part.charAt(0).toUpperCase() + part.slice(1);
}

function identifier(name: string): string {
  return /^[A-Za-z]/.test(name) ? name : `_${name}`;
}
