import type { ReadContext, WriteContext } from "ledger-rpc-runtime/server";

/** What handlers get besides their payload, by what their method does to state. */
export interface Contexts {
  readonly read: ReadContext;
  readonly write: WriteContext;
}
