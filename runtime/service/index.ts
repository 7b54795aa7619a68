export type { Admission } from "./admit.ts";
export type { Answer } from "./answer-message.ts";
export { checkTransport } from "./check-transport.ts";
export { contractVersion } from "./check-start.ts";
export { ContractError } from "./failure.ts";
export type {
  AnyHandler,
  AnyHandlers,
  CallContext,
  CallInfo,
  CallReport,
  Failure,
  RateOptions,
  ServiceLimits,
  ServiceOptions,
} from "./options.ts";
export type { Peer } from "./peer.ts";
export {
  createService,
  startService,
  type AnsweringService,
  type RpcService,
  type Session,
} from "./service.ts";
export type { Repetition, RepetitionKey, Repetitions, Store } from "./options.ts";
export type { OptionsFor } from "./typed.ts";
