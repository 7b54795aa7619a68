import type { InterfaceSpec, LoadedSpec } from "../spec/index.ts";
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

/** The named definitions beside methods and services: those of this spec and those copied from used specs. */
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
  const methods = assignNames("Method", wantedForMethods(methodNames, groupingOf(own)), taken);
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

/**
 * A standard method is called after its whole name, so that no other one renames it. In the signed envelope
 * `AccountService.GetAccount` is called after its operation, unless another service has that operation too.
 */
function wantedForMethods(names: readonly string[], grouping: Grouping): ReadonlyMap<string, string> {
  if (grouping.protocol === "json-rpc-2.0") return asTheyAre(names);
  const operations = new Map(names.map((name) => [name, operationAndService(name, grouping).operation]));
  const uses = new Map<string, number>();
  for (const operation of operations.values()) uses.set(operation, (uses.get(operation) ?? 0) + 1);
  return new Map(
    [...operations].map(([name, operation]) => [name, uses.get(operation) === 1 ? operation : name]),
  );
}

/** The rules by which the names of methods are read. */
export interface Grouping {
  readonly protocol: "signed-envelope" | "json-rpc-2.0";
  readonly services: readonly string[];
}

export function groupingOf({ wire, services }: InterfaceSpec): Grouping {
  return { protocol: wire.protocol, services: services.map(({ name }) => name.value) };
}

/** The parts of a method's name. What stands before the dot is a service of the envelope, or one that is declared. */
export function operationAndService(
  method: string,
  { protocol, services }: Grouping,
): { readonly operation: string; readonly service?: string } {
  const dot = method.indexOf(".");
  const service = method.slice(0, Math.max(dot, 0));
  const isService = protocol === "signed-envelope" || services.includes(service);
  return dot === -1 || !isService ? { operation: method } : { operation: method.slice(dot + 1), service };
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
