import type { ReadContext, WriteContext } from "../../runtime/service/handler-context.ts";

export interface Contexts {
  readonly read: ReadContext;
  readonly write: WriteContext;
}
