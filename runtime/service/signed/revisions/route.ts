import {
  type ConvertedMethod,
  type InterfaceDescriptor,
  type MethodDescriptor,
  type ObjectShape,
  omitUndefined,
  RpcError,
  type ServedRevision,
} from "../../../contract/index.ts";
import type { KeptAnswer } from "../../engine-store.ts";
import type { AnyHandler } from "../options.ts";
import { type FaultFactory, PipelineFault } from "../../../protocol/signed-envelope/fault.ts";
import { readByShape, refusedPayload, schemaFaults, type ValidCall } from "../validate/index.ts";
import { encodeResult } from "../../../protocol/signed-envelope/encode.ts";

/** The way of a method's calls from the revision that they are made in to a handler, and of the answers back. */
export interface Route {
  /** As its own revision has it: how calls are read, checked and answered. */
  readonly method: MethodDescriptor;
  /** As the revision has it whose handler runs; without steps the same. */
  readonly target: MethodDescriptor;
  readonly targetRevision: string;
  readonly handler: AnyHandler;
  /** From revision to revision, the own one's first. */
  readonly steps: readonly RouteStep[];
  /** The name that identifies repeated requests (D-24): the method's own, where no other method has it now. */
  readonly identity: string;
}

/** One step from a revision to the next. */
interface RouteStep {
  readonly adapter: ConvertedMethod;
  /** Where it leads. */
  readonly revision: string;
  readonly method: MethodDescriptor;
}

/** One revision of an interface, and where the calls of its methods go. */
export interface RoutedRevision {
  readonly interfaceDescriptor: InterfaceDescriptor;
  readonly routes: ReadonlyMap<string, Route>;
}

/**
 * The revisions that are served, oldest first, the current one last. Throws where the parts do not fit together:
 * then they were not generated in one run.
 */
export function routedRevisions(
  current: InterfaceDescriptor,
  earlier: readonly ServedRevision[],
  handlers: ReadonlyMap<string, AnyHandler>,
): readonly RoutedRevision[] {
  const descriptors = [...earlier.map((revision) => revision.interfaceDescriptor), current];
  return descriptors.map((interfaceDescriptor, at) => ({
    interfaceDescriptor,
    routes: new Map(
      Object.entries(interfaceDescriptor.methods).map(([name, method]) => [
        name,
        routeOf(method, { from: at, descriptors, earlier, handlers, current }),
      ]),
    ),
  }));
}

interface Routing {
  readonly from: number;
  readonly descriptors: readonly InterfaceDescriptor[];
  readonly earlier: readonly ServedRevision[];
  readonly handlers: ReadonlyMap<string, AnyHandler>;
  readonly current: InterfaceDescriptor;
}

function routeOf(
  method: MethodDescriptor,
  { from, descriptors, earlier, handlers, current }: Routing,
): Route {
  const steps: RouteStep[] = [];
  let target = method;
  for (const { interfaceDescriptor, methods } of earlier.slice(from)) {
    const adapter = methods[target.name];
    const next = descriptors[from + steps.length + 1];
    if (adapter !== undefined && "handler" in adapter) {
      const { handler } = adapter;
      const identity = identityOf(method, undefined, interfaceDescriptor.revision, current);
      return { method, target, targetRevision: interfaceDescriptor.revision, handler, steps, identity };
    }
    const found = adapter && next?.methods[adapter.method];
    if (adapter === undefined || next === undefined || found === undefined)
      throw new Error(
        `${current.name} ${interfaceDescriptor.revision} has no way for ${target.name}: run generate`,
      );
    steps.push({ adapter, revision: next.revision, method: found });
    target = found;
  }
  const handler = handlers.get(target.name);
  if (handler === undefined)
    throw new Error(`${current.name} has no handler for ${target.name}: run generate`);
  const revision = descriptors[from]?.revision ?? current.revision;
  const identity = identityOf(method, target, revision, current);
  return { method, target, targetRevision: current.revision, handler, steps, identity };
}

/** A call that is repeated in another revision is the same call; one of another method by the same name is not. */
function identityOf(
  { name }: MethodDescriptor,
  target: MethodDescriptor | undefined,
  revision: string,
  { methods }: InterfaceDescriptor,
): string {
  const sameName = methods[name];
  return sameName === undefined || sameName === target ? name : `${name} ${revision}`;
}

/** The names of which a scope has to hold one (D-19): the method's own, and its present one. */
export function scopesFor({ identity, target, method }: Route): readonly string[] {
  return target === method ? [identity] : [target.name, identity];
}

/** Makes a valid payload of a revision one that the handler takes. Throws what the later revision finds wrong with it. */
export function forHandler(call: ValidCall, route: Route, fault: FaultFactory): ValidCall {
  if (route.steps.length === 0) return call;
  let { payload } = call;
  for (const [at, { adapter, method }] of route.steps.entries()) {
    payload = adapter.up?.(payload) ?? payload;
    if (adapter.checked !== true || method.validate(asSent(payload))) continue;
    if (adapter.adapt !== undefined) {
      payload = adapter.adapt(payload);
      if (method.validate(asSent(payload))) continue;
    }
    const taken = route.steps.slice(0, at + 1);
    const faults = schemaFaults(method.validate.errors ?? []).map(({ pointer, reason }) => ({
      pointer: earlierPointer(taken, pointer),
      reason,
    }));
    throw refusedPayload(fault, faults, route.method.payload);
  }
  return { ...call, payload };
}

/** Amounts as the numbers that validators know. */
function asSent(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(asSent);
  if ("lexeme" in value && typeof value.lexeme === "string") return Number(value.lexeme);
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, asSent(member)]));
}

/** The text of a handler's result in the words of its caller's revision. */
export function encodeFor(route: Route, result: object): string {
  return encodeResult(route.method, downFrom(route.steps.length, route, result));
}

/** `text` is the result's in the words of its caller. */
export function storedResult(
  { target, targetRevision, steps }: Route,
  result: object,
  text: string,
): KeptAnswer {
  return { text: steps.length === 0 ? text : encodeResult(target, result), revision: targetRevision };
}

/** Stored result, translated to the caller's revision. A result of an earlier revision is repeated as it is. */
export function repeatedFor(route: Route, { text, revision }: KeptAnswer): string {
  const step = route.steps.findIndex((each) => each.revision === revision);
  const shape: ObjectShape | undefined = route.steps[step]?.method.result;
  if (shape === undefined) return text;
  return encodeResult(route.method, downFrom(step + 1, route, readByShape(text, shape)));
}

function downFrom(count: number, { steps }: Route, result: object): object {
  if (count === 0) return result;
  return steps.slice(0, count).reduceRight((later, { adapter }) => adapter.down?.(later) ?? later, result);
}

/**
 * The error that a handler has thrown, in the words of the caller's revision: a code that it does not know becomes one
 * that it does, with the code itself as the reason. What the handler may not throw is no answer in any revision.
 */
export function failureFor(route: Route | undefined, error: unknown): unknown {
  if (route === undefined || route.steps.length === 0) return error;
  if (!(error instanceof RpcError) || error instanceof PipelineFault) return error;
  if (route.target.errors[error.code] === undefined)
    return new Error(`${route.target.name} does not declare ${error.code}`, { cause: error });
  const code = route.steps.reduceRight((later, { adapter }) => adapter.errors?.[later] ?? later, error.code);
  const { field, ...detail } = error.detail;
  const reason = detail.reason ?? (code === error.code ? undefined : wordOf(error.code));
  return new RpcError(code, {
    ...detail,
    ...omitUndefined({ field: field === undefined ? undefined : earlierPointer(route.steps, field), reason }),
  });
}

/** The text of the result that an error is in the caller's revision, where that answers a page without items so. */
export function emptyPageFor(route: Route | undefined, error: unknown): string | undefined {
  if (!(error instanceof RpcError) || error instanceof PipelineFault) return undefined;
  let { code } = error;
  for (const [at, { adapter }] of [...(route?.steps ?? []).entries()].toReversed()) {
    const { emptyPage } = adapter;
    if (route !== undefined && emptyPage !== undefined && emptyPage.code === code)
      return encodeResult(route.method, downFrom(at, route, emptyPage.result()));
    code = adapter.errors?.[code] ?? code;
  }
  return undefined;
}

function wordOf(code: string): string {
  return code.toLowerCase().replaceAll("_", "-");
}

/** A pointer into the payload of the revision that steps have led to, as one into the payload that was sent. */
export function earlierPointer(steps: readonly RouteStep[], pointer: string): string {
  return steps.reduceRight((at, { adapter }) => before(at, adapter.renamed), pointer);
}

function before(pointer: string, renamed: Readonly<Record<string, string>> | undefined): string {
  if (renamed === undefined) return pointer;
  const [, ...names] = pointer.split("/");
  let pattern = "";
  return names
    .map((name) => {
      pattern += /^[0-9]+$/.test(name) ? "/*" : `/${name}`;
      return `/${renamed[pattern] ?? name}`;
    })
    .join("");
}
