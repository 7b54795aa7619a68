import type { ReadContext, WriteContext } from "../../runtime/pipeline/handler-context.ts";

export interface Contexts {
  readonly read: ReadContext;
  readonly write: WriteContext;
}
