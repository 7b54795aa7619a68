/** The records that the ports speak of. */
export type * from "../records.ts";
export type * from "./store-queries.ts";
export type * from "./verification.ts";
export {
  DuplicateRecordError,
  StoreBusyError,
  TooManyRowsError,
  type Changes,
  type ClaimedChange,
  type DeliveryQuery,
  type FirstDue,
  type ListingPage,
  type Lists,
  type OpenState,
  type MailQuery,
  type Page,
  type PageCursor,
  type Reads,
  type Store,
  type StoreHealth,
  type Audience,
  type Recipients,
  type WriteOptions,
  type Writes,
} from "./store.ts";
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
