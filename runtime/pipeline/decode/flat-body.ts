import type {
  HeldValue,
  InterfaceDescriptor,
  JsonObject,
  JsonValue,
  MethodDescriptor,
} from "../../contract/index.ts";
import { invalidRequestCode, type FaultDetail } from "../fault.ts";
import { pointerOf } from "./control-fault.ts";
import { foldName } from "./members.ts";

/** A flat operation, and the fields that select it, by folded name. */
export interface FlatMethod {
  readonly method: MethodDescriptor;
  readonly selectors: ReadonlyMap<string, Selector>;
}

interface Selector {
  readonly field: string;
  /** With which values it selects; with every value where absent. */
  readonly held: HeldValue | undefined;
}

/** In the descriptor's order, so that a body with the fields of two operations is the first (D-22). */
export function flatMethodsOf({ methods }: Pick<InterfaceDescriptor, "methods">): readonly FlatMethod[] {
  return Object.values(methods).flatMap((method) => {
    const { transport } = method;
    if (transport.kind !== "flat") return [];
    const only = new Map(Object.entries(transport.only ?? {}));
    const selectors = transport.selectedBy.map(
      (field) => [foldName(field), { field, held: only.get(field) }] as const,
    );
    return [{ method, selectors: new Map(selectors) }];
  });
}

/** The operation that a flat body is; none where nothing in it selects one. */
export function selectedMethod(
  body: JsonObject,
  methods: readonly FlatMethod[],
): MethodDescriptor | undefined {
  const names = Object.keys(body);
  return methods.find(
    ({ selectors }) =>
      selectors.size === 0 ||
      names.some((name) => {
        const selector = selectorOf(name, selectors);
        return selector !== undefined && (selector.held === undefined || holds(selector.held, body[name]));
      }),
  )?.method;
}

/** The fault of a body that is no operation's: of the field whose value selects none, or of the whole body. */
export function unselectedFault(body: JsonObject, methods: readonly FlatMethod[]): FaultDetail {
  const reason = "unknown-shape";
  for (const { selectors } of methods) {
    for (const name of Object.keys(body)) {
      const field = selectorOf(name, selectors)?.field;
      if (field !== undefined) return { fieldName: field, pointer: pointerOf([field]), reason };
    }
  }
  return { fieldName: "body", reason, rpcCode: invalidRequestCode };
}

function selectorOf(name: string, selectors: FlatMethod["selectors"]): Selector | undefined {
  return selectors.get(name) ?? selectors.get(foldName(name));
}

function holds(held: HeldValue, value: JsonValue | undefined): boolean {
  if ("oneOf" in held) return held.oneOf.some((one) => one === value);
  if (Array.isArray(value)) return held.type === "array";
  return value !== null && typeof value === held.type;
}
