import { buildRequest } from "../request/build.ts";
import type { Identity } from "../request/access.ts";
import type { Lookup } from "../request/resolve-value.ts";
import { resultOf } from "../response/read-response.ts";
import { send, type RunContext } from "../session/context.ts";
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
  const edits = stateFields(method, suite).map(({ name, state }) => ({
    op: "set" as const,
    at: `/${name}`,
    value: state,
  }));
  if (base === undefined || edits.length === 0) return false;
  const { rpc } = context;
  const common = { path: suite.path, revision: suite.revision, identity, lookup, method };
  const building = rpc === undefined ? common : { ...common, rpc };
  const wire = buildRequest({ base, edits }, { ...building, id: context.newId() });
  const { answer } = await send(context, wire, identity);
  return resultOf(answer, method) !== undefined;
}

/** The fields that request a state, and the first one of each: the state of what is new, or the first of its type. */
function stateFields(
  { name: by, payload }: MethodEntry,
  { states, types }: Suite,
): readonly { readonly name: string; readonly state: string }[] {
  const requested = states.filter(({ transitions }) =>
    transitions.some((transition) => transition.by === by && transition.to === "requested"),
  );
  if (payload.kind !== "single") return [];
  return fieldsOf(payload.shape).flatMap(({ name, shape }) => {
    const found = requested.find(({ type }) => shape.kind === "ref" && shape.type === type);
    if (found === undefined) return [];
    const initial = found.transitions.find(({ from, to }) => from === "none" && to !== "requested")?.to;
    const type = types[found.type];
    const state = initial ?? (type?.kind === "enum" ? type.values[0]?.value : undefined);
    return state === undefined ? [] : [{ name, state: String(state) }];
  });
}

function fieldsOf(shape: Shape): readonly FieldShape[] {
  return shape.kind === "object" ? shape.fields : [];
}
