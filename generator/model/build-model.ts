import { languageOf } from "../protocols/languages.ts";
import { modelOf } from "../protocols/models.ts";
import {
  bySectionThen,
  createSpecLoader,
  eventsOf,
  reachOf,
  type ErrorSpec,
  type EventSpec,
  type LoadOptions,
  type LoadedSpec,
  type MethodSpec,
  type Reach,
  type ReadFolder,
  type Scope,
  type ServedSpec,
  type TypeSpec,
} from "../language/index.ts";
import { eventMembers } from "./events.ts";
import { nameEverything, type NameTable } from "./assign-names.ts";
import { buildMethod } from "./build-method.ts";
import { documented } from "./shape.ts";
import { exampleValue } from "./examples.ts";
import type {
  AuthMemberModel,
  ErrorModel,
  EventModel,
  HeaderModel,
  MethodModel,
  Names,
  RuleModel,
  ServedRevisionModel,
  ServiceGroup,
  ServiceModel,
  StateMachineModel,
  TypeModel,
} from "./service-model.ts";
import { schemesOf } from "./security.ts";
import { shapeParts } from "../language/shape-parts.ts";
import { shapeOf } from "./shapes.ts";
import { requirementsOf, resourcesOf, scenariosOf } from "./test-metadata.ts";
import { oncePer } from "../language/source/once-per.ts";
import { omitUndefined } from "../../conformance/base/omit-undefined.ts";
import type { Result } from "../language/diagnostics/index.ts";

/** The model of a spec that has passed every check. */
export function buildModel(loaded: LoadedSpec): ServiceModel {
  const { spec, interface: own, scope } = loaded;
  const { authOwner } = scope;
  const reach = reachOf(spec, scope);
  const types = typesOf(loaded, reach);
  const errors = errorsOf(loaded);
  const events = eventsOf(spec, scope);
  const names = nameEverything(loaded, { types, errors, events });
  const methods = spec.methods
    .map((method) => buildMethod(method, loaded, names))
    .toSorted(bySectionThen((method) => method.name));
  return deepFreeze(
    omitUndefined({
      ...documented(own),
      name: own.name,
      title: own.title,
      revision: own.revision,
      path: modelOf(own.wire.protocol).path(own),
      documentedPath: authOwner && modelOf(authOwner.wire.protocol).path(authOwner),
      wire: modelOf(own.wire.protocol).wire(loaded),
      services: servicesOf(loaded, names),
      authScheme: scope.auth?.scheme?.value ?? "signedEnvelope",
      auth: authOf(scope),
      authHeaders: headersOf(scope),
      faults: languageOf(own.wire.protocol).hasDefaultFaults ? {} : faultsOf(scope),
      schemes: schemesOf(own),
      types: types.map((type) => typeModel(type, loaded, reach, names)),
      methods,
      errors: errors.map((error) => errorModel(error, scope, nameIn(names.errors, error.code.value))),
      events: events
        .map((event) => eventModel(event, methods, scope, nameIn(names.events, event.name.value)))
        .toSorted(bySectionThen((event) => event.name)),
      states: statesOf(loaded),
      rules: rulesOf(loaded),
      resources: resourcesOf(loaded),
      scenarios: scenariosOf(loaded),
      requirements: requirementsOf(loaded),
      serves: loaded.serves.length === 0 ? undefined : loaded.serves.map(servedModel),
    }),
  );
}

function servedModel({ entry, loaded }: ServedSpec): ServedRevisionModel {
  const { section, decisions, revision } = entry;
  return omitUndefined({ model: earlierModel(loaded), section, decisions, span: revision.span });
}

/** An earlier revision hardly changes while the next is written. */
const earlierModel = oncePer(buildModel);

/** The name assigned to a thing of the spec. */
function nameIn(names: ReadonlyMap<string, Names>, name: string): Names {
  const assigned = names.get(name);
  if (assigned === undefined) throw new Error(`no name was assigned to ${name}`);
  return assigned;
}

/** Own types and those of used specs that are reached. */
function typesOf({ spec, scope }: LoadedSpec, reach: Reach): readonly TypeSpec[] {
  const names = new Set([...spec.types.map((type) => type.name.value), ...reach.types.keys()]);
  for (const machine of spec.states) names.add(machine.type.value);
  for (const name of names) for (const inner of typesNamedIn(name, scope)) names.add(inner);
  const types = [...names].flatMap((name) => scope.types.get(name) ?? []);
  return types.toSorted(bySectionThen((type) => type.name.value));
}

function typesNamedIn(name: string, scope: Scope): readonly string[] {
  const type = scope.types.get(name);
  if (type === undefined) return [];
  const named: string[] = [];
  const visit = (shape: TypeSpec["shape"]): void => {
    if (shape.kind === "ref") named.push(shape.type.value);
    for (const part of shapeParts(shape)) visit(part);
  };
  visit(type.shape);
  return named;
}

/** Own errors and those of used specs that something names. */
function errorsOf({ spec, scope }: LoadedSpec): readonly ErrorSpec[] {
  const codes = new Set([
    ...spec.errors.map((error) => error.code.value),
    ...(scope.faults?.codes ?? []).map((fault) => fault.code.value),
    ...(scope.auth?.members ?? []).flatMap((member) => member.missing?.value ?? []),
    ...spec.methods.flatMap((method) => codesOf(method)),
  ]);
  const errors = [...codes].flatMap((code) => scope.errors.get(code) ?? []);
  return errors.toSorted(bySectionThen((error) => error.code.value));
}

function codesOf(method: MethodSpec): readonly string[] {
  const shown = method.examples.flatMap((example) => example.error?.value ?? []);
  return [...method.errors.map((error) => error.code.value), ...shown];
}

function typeModel(type: TypeSpec, { scope }: LoadedSpec, reach: Reach, table: NameTable): TypeModel {
  const directions = reach.types.get(type.name.value);
  const names = nameIn(table.types, type.name.value);
  const usedIn = (["request", "response", "event"] as const).filter((each) => directions?.has(each));
  return omitUndefined({
    ...documented(type),
    name: type.name.value,
    names,
    shape: shapeOf(type.shape, scope),
    usedIn,
    renamedFrom: type.renamedFrom?.value,
    example: type.example && exampleValue(type.example, type.shape, scope),
  });
}

function errorModel(error: ErrorSpec, scope: Scope, names: Names): ErrorModel {
  return omitUndefined({
    ...documented(error),
    code: error.code.value,
    names,
    message: error.message.value,
    condition: error.condition,
    action: error.action,
    httpStatus: error.httpStatus,
    rpcCode: error.rpcCode.value,
    wireCode: error.wireCode?.value,
    data: error.data && shapeOf(error.data, scope),
    everyMethod: error.everyMethod,
    renamedFrom: error.renamedFrom?.value,
  });
}

function eventModel(
  event: EventSpec,
  methods: readonly MethodModel[],
  scope: Scope,
  names: Names,
): EventModel {
  return omitUndefined({
    ...documented(event),
    name: event.name.value,
    names,
    payload: shapeOf(event.payload, scope),
    payloadName: event.payloadName?.value,
    members: eventMembers(event, scope),
    causedBy: methods
      .filter((method) => method.emits.includes(event.name.value))
      .map((method) => method.name),
    otherCauses: event.otherCauses,
    renamedFrom: event.renamedFrom?.value,
  });
}

function servicesOf({ interface: own }: LoadedSpec, names: NameTable): readonly ServiceGroup[] {
  return own.services
    .map((service) => ({
      ...documented(service),
      name: service.name.value,
      names: nameIn(names.services, service.name.value),
    }))
    .toSorted(bySectionThen((service) => service.name));
}

function authOf({ auth }: Scope): readonly AuthMemberModel[] {
  return (auth?.members ?? [])
    .map((member) => ({
      ...documented(member),
      name: member.name.value,
      missing: member.missing?.value ?? "",
    }))
    .toSorted(bySectionThen((member) => member.name));
}

function headersOf({ auth }: Scope): readonly HeaderModel[] {
  return (auth?.headers ?? [])
    .map((header) => ({ ...documented(header), name: header.name.value, format: header.format }))
    .toSorted(bySectionThen((header) => header.name));
}

function faultsOf({ faults }: Scope): Readonly<Record<string, string>> {
  const codes = (faults?.codes ?? []).map(({ fault, code }) => ({ fault: fault.value, code: code.value }));
  const sorted = codes.toSorted(bySectionThen(({ fault }) => fault));
  return Object.fromEntries(sorted.map(({ fault, code }) => [fault, code]));
}

function statesOf({ spec }: LoadedSpec): readonly StateMachineModel[] {
  return spec.states
    .map((machine) => ({
      ...documented(machine),
      name: machine.name.value,
      type: machine.type.value,
      transitions: machine.transitions.map((transition) =>
        omitUndefined({
          ...documented(transition),
          from: transition.from.value,
          to: transition.to.value,
          by: transition.by?.value,
          condition: transition.condition,
          effects: transition.effects,
        }),
      ),
    }))
    .toSorted(bySectionThen((machine) => machine.name));
}

function rulesOf({ spec }: LoadedSpec): readonly RuleModel[] {
  return spec.rules
    .map((rule) => ({ ...documented(rule), id: rule.id.value }))
    .toSorted(bySectionThen((rule) => rule.id));
}

/**
 * Reads a spec, and the specs it uses, into a model. `specFolder` is relative to the project's root, as are the
 * paths that `readFolder` gives. The diagnostics hold every mistake, in reading order; the model is absent if one of
 * them is an error. Pure but for `readFolder`.
 */
export function loadServiceModel(specFolder: string, readFolder: ReadFolder): Result<ServiceModel> {
  return createModelLoader(readFolder)(specFolder);
}

/** The same for several specs of one run: what more than one of them uses is read once. */
export function createModelLoader(
  readFolder: ReadFolder,
  options?: LoadOptions,
): (specFolder: string) => Result<ServiceModel> {
  const loadSpec = createSpecLoader(readFolder, options);
  return (specFolder) => {
    const { value, diagnostics } = loadSpec(specFolder);
    return value === undefined ? { diagnostics } : { value: buildModel(value), diagnostics };
  };
}

/** Freezes a value and everything it holds. */
export function deepFreeze<T>(value: T): T {
  if (typeof value !== "object" || value === null || Object.isFrozen(value)) return value;
  Object.freeze(value);
  for (const key in value) deepFreeze(value[key]);
  return value;
}
