import type { BankContext } from "../../domain/rules.ts";
import type { ReadContext, WriteContext } from "../../../runtime/pipeline/index.ts";

/** The contexts of the handlers of this folder: by the effect of their method. */
export interface Contexts {
  readonly read: ReadContext & BankContext;
  readonly write: WriteContext & BankContext;
}
