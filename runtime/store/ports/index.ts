/** The records that the ports speak of. */
export type * from "../records.ts";
export type * from "./store.ts";
export { DuplicateRecordError, StoreBusyError, TooManyRowsError } from "./store.ts";
export {
  textOfReason,
  UnavailableError,
  unavailableReasons,
  type UnavailableReason,
} from "./store-errors.ts";
export { keyIdOfSealed, type Sealer } from "./system.ts";
export type * from "../../auth/auth-services.ts";
export type * from "../../protocol/signed-envelope/envelope.ts";
export type * from "../../platform/tracer.ts";
export type * from "./system.ts";
