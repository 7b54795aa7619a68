import { protocolOf } from "../protocols/index.ts";
import type { Identity } from "../request/access.ts";
import type { Lookup } from "../request/resolve-value.ts";
import { resultOf } from "../response/read-response.ts";
import { send, type RunContext } from "../session/context.ts";
import type { Case, Edit } from "../suite/case.ts";
import { machineOf, valuesOfEnum } from "../suite/machine-of.ts";
import type { FieldShape, Shape } from "../suite/shape.ts";
import type { MethodEntry, Suite } from "../suite/suite.ts";

/**
 * Puts a shared sample back into its first state after a request that asked for one: other cases rely on that state. Does
 * nothing for methods by which no state is requested. The method's own cases check what the service answers.
 * Returns whether the sample was put into that state.
 *
 * @throws CallFailed
 */
export async function restoreState(
  method: MethodEntry,
  context: RunContext,
  identity: Identity,
  lookup: Lookup,
): Promise<boolean> {
  const { suite } = context;
  const [base] = Object.keys(method.bases);
  const edits = firstState(method, suite);
  if (base === undefined || edits.length === 0) return false;
  const { rpc } = context;
  const common = { path: suite.path, revision: suite.revision, identity, lookup, method };
  const building = rpc === undefined ? common : { ...common, rpc };
  const wire = protocolOf(method).build({ base, edits }, { ...building, id: context.newId(method) });
  const { answer } = await send(context, wire, identity);
  return resultOf(answer, method) !== undefined;
}

/**
 * The case with the first state, unless it is about the state. It must be refused. If a service accepts it, the
 * change affects no other case.
 */
export function askingForNoChange(each: Case, method: MethodEntry, suite: Suite): Case {
  const { request } = each;
  if (request.payload !== undefined || request.raw !== undefined) return each;
  const own = request.edits ?? [];
  const edits = firstState(method, suite).filter(({ at }) => own.every((edit) => edit.at !== at));
  return edits.length === 0 ? each : { ...each, request: { ...request, edits: [...edits, ...own] } };
}

function firstState(method: MethodEntry, suite: Suite): readonly Edit[] {
  return stateFields(method, suite).map(({ name, state }) => ({ op: "set", at: `/${name}`, value: state }));
}

/** The fields that request a state, and the first one of each: the state of what is new, or the first of its type. */
export function stateFields(
  { name: by, payload }: MethodEntry,
  suite: Suite,
): readonly { readonly name: string; readonly state: string }[] {
  const requested = suite.states.filter(({ transitions }) =>
    transitions.some((transition) => transition.by === by && transition.to === "requested"),
  );
  if (payload.kind !== "single") return [];
  return fieldsOf(payload.shape).flatMap(({ name, shape }) => {
    const found = machineOf({ shape }, suite);
    if (found === undefined || !requested.includes(found)) return [];
    const initial = found.transitions.find(({ from, to }) => from === "none" && to !== "requested")?.to;
    const askable = valuesOfEnum(shape, suite);
    const state = askable.includes(initial) ? initial : askable[0];
    return state === undefined ? [] : [{ name, state: String(state) }];
  });
}

function fieldsOf(shape: Shape): readonly FieldShape[] {
  return shape.kind === "object" ? shape.fields : [];
}
