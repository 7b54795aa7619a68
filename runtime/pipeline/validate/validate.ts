import { omitUndefined, type JsonValue, type ObjectShape } from "../../contract/index.ts";
import type { AuthorizedCall } from "../authorize.ts";
import type { FaultFactory, PipelineFault } from "../fault.ts";
import { amountFaults, parseLexemes, placeAmounts } from "./amounts.ts";
import { canonicalise } from "./canonicalise.ts";
import { documentedName, inDocumentOrder } from "./document-order.ts";
import { schemaFaults } from "./schema-faults.ts";
import type { FieldFault } from "./field-fault.ts";
import { planOf } from "./shape-plan.ts";

/** A call whose payload fits its method: names canonical, amounts exact. Handlers trust it. */
export interface ValidCall extends AuthorizedCall {
  readonly payload: object;
}

const furtherErrorsMax = 20;

/** AuthorizedCall → ValidCall: names, nulls and unknown fields, then the generated validator, then amounts. */
export type Validate = (call: AuthorizedCall) => ValidCall;

export function createValidate(fault: FaultFactory, rejectUnknown: boolean): Validate {
  return function validate(call) {
    const { method, envelope } = call;
    const plan = planOf(method.payload);
    const lexemes = plan.hasMoney ? parseLexemes(envelope.payloadBytes.toString("utf8")) : undefined;
    const { payload, faults, amounts } = canonicalise(envelope.payload, lexemes, plan, rejectUnknown);
    const fits = method.validate(payload);
    faults.push(...amountFaults(amounts));
    if (!fits) faults.push(...schemaFaults(method.validate.errors ?? []));
    if (!fits || faults.length > 0) throw refusedPayload(fault, faults, method.payload);
    placeAmounts(amounts);
    return { ...call, payload };
  };
}

/** The fault of a payload: its first failing field in document order, and the rest (D-05). */
export function refusedPayload(
  fault: FaultFactory,
  faults: readonly FieldFault[],
  shape: ObjectShape,
): PipelineFault {
  const plan = planOf(shape);
  const [first = { pointer: "", reason: "schema" }, ...further] = inDocumentOrder(faults, plan);
  const { pointer, reason } = first;
  const errors: JsonValue[] = further
    .slice(0, furtherErrorsMax)
    .map(({ pointer, reason }) => ({ field: pointer, reason }));
  return fault(
    "badInput",
    omitUndefined({
      pointer,
      reason,
      fieldName: documentedName(pointer) ?? "payload",
      data: errors.length === 0 ? undefined : { errors },
    }),
  );
}
