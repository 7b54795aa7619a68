/** What a step that may refuse gives: its value, or the fault that says why not. */
export type Outcome<Value, Fault> =
  { readonly ok: true; readonly value: Value } | { readonly ok: false; readonly fault: Fault };

/** The step succeeded. */
export function accepted<Value>(value: Value): { readonly ok: true; readonly value: Value } {
  return { ok: true, value };
}

/** The step refused. */
export function refused<Fault>(fault: Fault): { readonly ok: false; readonly fault: Fault } {
  return { ok: false, fault };
}
