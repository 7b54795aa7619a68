import {
  camelCase,
  interfaceCompanions,
  namesOf,
  pascalCase,
  type Avoided,
  type NameKind,
  type Names,
} from "./names.ts";
import { languageOf } from "../protocols/languages.ts";
import type { Protocol } from "../language/structure/protocols.ts";
import type { DocumentedSpec, InterfaceSpec, LoadedSpec, Name } from "../language/index.ts";

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

type Named = Pick<DocumentedSpec, "codeName"> & { readonly name: Name };

/** The named definitions beside methods and services: those of this spec and those copied from used specs. */
export interface NamedThings {
  readonly types: readonly Named[];
  readonly events: readonly Named[];
  readonly errors: readonly (Pick<DocumentedSpec, "codeName"> & { readonly code: Name })[];
}

/** Gives everything its names. */
export function nameEverything({ spec, interface: own }: LoadedSpec, things: NamedThings): NameTable {
  const avoided: Avoided = {
    types: new Set(interfaceCompanions.map((companion) => pascalCase(own.name) + companion)),
    values: new Set(interfaceCompanions.map((companion) => camelCase(own.name) + companion)),
  };
  const named = (kind: NameKind, items: readonly Named[]): ReadonlyMap<string, Names> =>
    new Map(
      items.map(({ name: { value }, codeName }) => [
        value,
        namesOf(kind, value, { codeName: codeName?.value, avoided }),
      ]),
    );
  const grouping = groupingOf(own);
  return {
    methods: new Map(
      spec.methods.map(({ name: { value }, codeName }) => [
        value,
        namesOf("Method", plainMethodName(value, grouping), { codeName: codeName?.value, avoided }),
      ]),
    ),
    forms: new Map(
      spec.methods.flatMap(({ name, payload }) =>
        payload.kind === "forms" ? [[name.value, named("Form", payload.forms)]] : [],
      ),
    ),
    types: named("Type", things.types),
    services: named("Service", own.services),
    events: named("Event", things.events),
    errors: named(
      "Error",
      things.errors.map((error) => ({ ...error, name: error.code })),
    ),
  };
}

/** The text that a method's name in code is made from: its operation in the signed envelope, else its whole name. */
export function plainMethodName(name: string, grouping: Grouping): string {
  return languageOf(grouping.protocol).namesServices ? operationAndService(name, grouping).operation : name;
}

/** The rules by which the names of methods are read. */
export interface Grouping {
  readonly protocol: Protocol;
  readonly services: readonly string[];
}

export function groupingOf({ wire, services }: InterfaceSpec): Grouping {
  return { protocol: wire.protocol, services: services.map(({ name }) => name.value) };
}

/** The parts of a method's name. The part before the dot is a service of the envelope, or a declared one. */
export function operationAndService(
  method: string,
  { protocol, services }: Grouping,
): { readonly operation: string; readonly service?: string } {
  const dot = method.indexOf(".");
  const service = method.slice(0, Math.max(dot, 0));
  const isService = languageOf(protocol).namesServices || services.includes(service);
  return dot === -1 || !isService ? { operation: method } : { operation: method.slice(dot + 1), service };
}
