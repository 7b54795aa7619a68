export type { Admission } from "./discovery.ts";
export type { Answer } from "./answer-message.ts";
export { checkTransport, contractVersion } from "./checks.ts";
export {
  createService,
  serviceOf,
  startService,
  type RpcService,
  type ServedInterface,
  type Session,
} from "./service.ts";
export { ContractError } from "../contract/index.ts";
export type {
  AnyHandler,
  AnyHandlers,
  CallContext,
  CallInfo,
  CallReport,
  Failure,
  Peer,
  RateOptions,
  ServiceLimits,
  ServiceOptions,
} from "./options.ts";
export type { Repetition, RepetitionKey, Repetitions, Store } from "./options.ts";
export type { OptionsFor } from "./typed.ts";
