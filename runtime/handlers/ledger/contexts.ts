import type { ReadContext, WriteContext } from "../../ports/index.ts";

/** What the handlers of this folder are given besides their payload, by what their method does to state. */
export interface Contexts {
  readonly read: ReadContext;
  readonly write: WriteContext;
}
