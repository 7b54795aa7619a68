import { type ConvertedMethod, omitUndefined, RpcError, type ServedRevision } from "../contract/index.ts";
import type { DecodedCall, Protocol, Refused, ServedMethod } from "../protocol/port.ts";
import type { AnyHandler, Repetition } from "./options.ts";

/** The way of a method's calls from the revision that they are made in to a handler, and of the answers back. */
export interface Route<Method extends ServedMethod = ServedMethod> {
  /** As its own revision has it: how calls are read, checked and answered. */
  readonly method: Method;
  /** As the revision has it whose handler runs; without steps the same. */
  readonly target: Method;
  readonly targetRevision: string;
  readonly handler: AnyHandler;
  /** From revision to revision, the own one's first. */
  readonly steps: readonly RouteStep<Method>[];
  /** The name that identifies repeated requests: the method's own, where no other method has it now. */
  readonly identity: string;
}

/** One step from a revision to the next. */
interface RouteStep<Method> {
  readonly adapter: ConvertedMethod;
  /** Where it leads. */
  readonly revision: string;
  readonly method: Method;
}

/** An earlier revision, in the words of its protocol. */
export interface EarlierRevision<Method extends ServedMethod, Call extends DecodedCall> {
  readonly protocol: Protocol<Method, Call>;
  readonly methods: ServedRevision["methods"];
}

/** One revision of an interface, and where the calls of its methods go. */
export interface RoutedRevision<Method extends ServedMethod, Call extends DecodedCall> {
  readonly protocol: Protocol<Method, Call>;
  readonly routes: ReadonlyMap<string, Route<Method>>;
}

/**
 * The revisions that are served, oldest first, the current one last. Throws where the parts do not fit together:
 * then they were not generated in one run.
 */
export function routedRevisions<Method extends ServedMethod, Call extends DecodedCall>(
  current: Protocol<Method, Call>,
  earlier: readonly EarlierRevision<Method, Call>[],
  handlers: ReadonlyMap<string, AnyHandler>,
): readonly RoutedRevision<Method, Call>[] {
  const protocols = [...earlier.map(({ protocol }) => protocol), current];
  return protocols.map((protocol, at) => ({
    protocol,
    routes: new Map(
      Object.entries(protocol.methods).map(([name, method]) => [
        name,
        routeOf(method, { from: at, protocols, earlier, handlers, current }),
      ]),
    ),
  }));
}

interface Routing<Method extends ServedMethod, Call extends DecodedCall> {
  readonly from: number;
  readonly protocols: readonly Protocol<Method, Call>[];
  readonly earlier: readonly EarlierRevision<Method, Call>[];
  readonly handlers: ReadonlyMap<string, AnyHandler>;
  readonly current: Protocol<Method, Call>;
}

function routeOf<Method extends ServedMethod, Call extends DecodedCall>(
  method: Method,
  { from, protocols, earlier, handlers, current }: Routing<Method, Call>,
): Route<Method> {
  const steps: RouteStep<Method>[] = [];
  let target = method;
  for (const { protocol, methods } of earlier.slice(from)) {
    const adapter = methods[target.name];
    const next = protocols[from + steps.length + 1];
    if (adapter !== undefined && "handler" in adapter) {
      const { handler } = adapter;
      const identity = identityOf(method, undefined, protocol.revision, current);
      return { method, target, targetRevision: protocol.revision, handler, steps, identity };
    }
    const found = adapter && next?.methods[adapter.method];
    if (adapter === undefined || next === undefined || found === undefined)
      throw new Error(`${current.name} ${protocol.revision} has no way for ${target.name}: run generate`);
    steps.push({ adapter, revision: next.revision, method: found });
    target = found;
  }
  const handler = handlers.get(target.name);
  if (handler === undefined)
    throw new Error(`${current.name} has no handler for ${target.name}: run generate`);
  const revision = protocols[from]?.revision ?? current.revision;
  const identity = identityOf(method, target, revision, current);
  return { method, target, targetRevision: current.revision, handler, steps, identity };
}

/** A call that is repeated in another revision is the same call; one of another method by the same name is not. */
function identityOf(
  { name }: ServedMethod,
  target: ServedMethod | undefined,
  revision: string,
  { methods }: Pick<Protocol, "methods">,
): string {
  const sameName = methods[name];
  return sameName === undefined || sameName === target ? name : `${name} ${revision}`;
}

/** The names of which a scope has to hold one: the method's own, and its present one. */
export function scopesFor({
  identity,
  target,
  method,
}: Pick<Route, "identity" | "target" | "method">): readonly string[] {
  return target === method ? [identity] : [target.name, identity];
}

type Worded<Method extends ServedMethod> = Pick<Protocol<Method, never>, "printResult" | "revisions">;

/** Makes a valid payload of a revision one that the handler takes; refused as the later revision finds it wrong. */
export function forHandler<Method extends ServedMethod>(
  sent: object,
  { method, steps }: Route<Method>,
  { revisions }: Worded<Method>,
): { readonly kind: "valid"; readonly payload: object } | Refused {
  let payload = sent;
  for (const [at, { adapter, method: later }] of steps.entries()) {
    payload = adapter.up?.(payload) ?? payload;
    if (adapter.checked !== true || later.validate(asSent(payload))) continue;
    if (adapter.adapt !== undefined) {
      payload = adapter.adapt(payload);
      if (later.validate(asSent(payload))) continue;
    }
    if (revisions === undefined)
      throw new Error(`${method.name} has steps to later revisions, and its protocol none`);
    const taken = steps.slice(0, at + 1);
    return revisions.refusalOf(method, later.validate.errors ?? [], (pointer) =>
      earlierPointer(taken, pointer),
    );
  }
  return { kind: "valid", payload };
}

/** Amounts as the numbers that validators know. */
function asSent(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(asSent);
  if ("lexeme" in value && typeof value.lexeme === "string") return Number(value.lexeme);
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, asSent(member)]));
}

/** The text of a handler's result in the words of its caller's revision. */
export function encodeFor<Method extends ServedMethod>(
  route: Route<Method>,
  result: unknown,
  { printResult }: Worded<Method>,
): string {
  return printResult(route.method, downFrom(route.steps.length, route, result));
}

/** A result as it is kept: in the words of the revision whose handler gave it. `text` is in those of its caller. */
export function keptResult<Method extends ServedMethod>(
  { target, targetRevision: revision, steps }: Route<Method>,
  result: unknown,
  text: string,
  { printResult }: Worded<Method>,
): Pick<Repetition, "resultText"> & { readonly revision: string } {
  return { resultText: steps.length === 0 ? text : printResult(target, result), revision };
}

/** Kept result, translated to the caller's revision. A result of an earlier revision is repeated as it is. */
export function repeatedFor<Method extends ServedMethod>(
  route: Route<Method>,
  { resultText, revision }: Pick<Repetition, "resultText" | "revision">,
  { printResult, revisions }: Worded<Method>,
): string {
  const at = route.steps.findIndex((each) => each.revision === revision);
  const step = route.steps[at];
  if (step === undefined || revisions === undefined) return resultText;
  return printResult(route.method, downFrom(at + 1, route, revisions.readResult(step.method, resultText)));
}

function downFrom(count: number, { steps }: Route, result: unknown): unknown {
  if (count === 0) return result;
  return steps
    .slice(0, count)
    .reduceRight((later, { adapter }) => adapter.down?.(later) ?? later, Object(result));
}

/**
 * The error of a handler in the words of the caller's revision. A code that the revision does not know becomes one
 * that it knows, with the code itself as the reason. What the handler may not throw is no answer in any revision.
 */
export function failureFor(route: Route, error: unknown): unknown {
  if (route.steps.length === 0 || !(error instanceof RpcError)) return error;
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
export function emptyPageFor<Method extends ServedMethod>(
  route: Route<Method>,
  error: unknown,
  { printResult }: Worded<Method>,
): string | undefined {
  if (!(error instanceof RpcError)) return undefined;
  let { code } = error;
  for (const [at, { adapter }] of [...route.steps.entries()].toReversed()) {
    const { emptyPage } = adapter;
    if (emptyPage !== undefined && emptyPage.code === code)
      return printResult(route.method, downFrom(at, route, emptyPage.result()));
    code = adapter.errors?.[code] ?? code;
  }
  return undefined;
}

function wordOf(code: string): string {
  return code.toLowerCase().replaceAll("_", "-");
}

/** A pointer into the payload of the revision that steps have led to, as one into the payload that was sent. */
export function earlierPointer(steps: readonly RouteStep<unknown>[], pointer: string): string {
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
