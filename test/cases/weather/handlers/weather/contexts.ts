import type { ReadContext, WriteContext } from "../../runtime/ports/index.ts";

export interface Contexts {
  readonly read: ReadContext;
  readonly write: WriteContext;
}
