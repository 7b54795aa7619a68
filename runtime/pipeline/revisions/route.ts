import type {
  ConvertedMethod,
  InterfaceDescriptor,
  MethodDescriptor,
  ServedRevision,
} from "../../contract/index.ts";
import type { AnyHandler } from "../options.ts";

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
export interface RouteStep {
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
