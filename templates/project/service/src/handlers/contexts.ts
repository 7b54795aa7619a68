import type { ReadContext, WriteContext } from "ledger-rpc-runtime/server";

/** The second parameter of handlers, by what their method does to state. */
export interface Contexts {
  readonly read: ReadContext;
  readonly write: WriteContext;
}
