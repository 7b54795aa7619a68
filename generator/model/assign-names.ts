import type { LoadedSpec } from "../spec/index.ts";
import { assignNames, noNames, reserve, type TakenNames } from "./names.ts";
import { interfaceCompanions, methodCompanions } from "./reserved-names.ts";
import type { Names } from "./service-model.ts";
import { camelCase, kebabCase, pascalCase } from "./case-conversion.ts";

/** The names of everything that has a place of its own in generated code, by name in the spec. */
export interface NameTable {
  readonly methods: ReadonlyMap<string, Names>;
  /** By method, then form. */
  readonly forms: ReadonlyMap<string, ReadonlyMap<string, Names>>;
  readonly types: ReadonlyMap<string, Names>;
  readonly services: ReadonlyMap<string, Names>;
  readonly events: ReadonlyMap<string, Names>;
  readonly errors: ReadonlyMap<string, Names>;
}

/** What is named beside methods and services: definitions of this spec and those copied from used ones. */
export interface NamedThings {
  readonly types: readonly string[];
  readonly events: readonly string[];
  readonly errors: readonly string[];
}

/** Assigns all names; the earlier a kind comes here, the plainer its names. */
export function nameEverything({ spec, interface: own }: LoadedSpec, things: NamedThings): NameTable {
  const taken = noNames();
  const name = own.name;
  reserve(
    taken,
    { type: pascalCase(name), value: camelCase(name), file: kebabCase(name) },
    interfaceCompanions,
  );
  const methodNames = spec.methods.map((method) => method.name.value);
  const methods = assignNames("Method", wantedForMethods(methodNames), taken);
  const forms = new Map<string, ReadonlyMap<string, Names>>();
  for (const method of spec.methods) {
    const names = methods.get(method.name.value);
    if (names === undefined) continue;
    reserve(taken, names, methodCompanions);
    if (method.payload.kind !== "forms") continue;
    const formNames = method.payload.forms.map((form) => form.name.value);
    forms.set(method.name.value, nameForms(names, formNames, taken));
  }
  return {
    methods,
    forms,
    types: assignNames("Type", asTheyAre(things.types), taken),
    services: assignNames("Service", asTheyAre(own.services.map((service) => service.name.value)), taken),
    events: assignNames("Event", asTheyAre(things.events), taken),
    errors: assignNames("Error", asTheyAre(things.errors), taken),
  };
}

/** `AccountService.GetAccount` is called after its operation, unless another service has that operation too. */
function wantedForMethods(names: readonly string[]): ReadonlyMap<string, string> {
  const uses = new Map<string, number>();
  for (const name of names) uses.set(operationOf(name), (uses.get(operationOf(name)) ?? 0) + 1);
  return new Map(names.map((name) => [name, uses.get(operationOf(name)) === 1 ? operationOf(name) : name]));
}

export function operationOf(method: string): string {
  return method.slice(method.indexOf(".") + 1);
}

export function serviceOf(method: string): string | undefined {
  const dot = method.indexOf(".");
  return dot === -1 ? undefined : method.slice(0, dot);
}

function nameForms(method: Names, forms: readonly string[], taken: TakenNames): ReadonlyMap<string, Names> {
  const names = assignNames("Form", asTheyAre(forms), noNames());
  for (const form of names.values()) {
    reserve(taken, { ...method, type: method.type + form.type, value: method.value + form.type }, [
      "Payload",
    ]);
  }
  return names;
}

function asTheyAre(names: readonly string[]): ReadonlyMap<string, string> {
  return new Map(names.map((name) => [name, name]));
}
