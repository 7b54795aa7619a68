export { auditedBySystem, type SystemActor } from "./audit/index.ts";
export { createPipeline, type Pipeline } from "./pipeline.ts";
export type {
  AnyHandler,
  FailureLog,
  MessageSignatureRules,
  OutboxListener,
  PipelineOptions,
  PipelinePorts,
  PipelineRules,
} from "./options.ts";
export { createEventTranslator, type EventTranslator } from "./revisions/index.ts";
export type { CallTrace, RawResponse, RawRequest } from "./raw-exchange.ts";
export {
  createCallerCache,
  createNonceRegister,
  type CallerCache,
  type CallerCacheOptions,
  type NonceRegister,
  type NonceRegisterOptions,
} from "./authenticate/index.ts";
export { bodyBytesMax } from "./decode/index.ts";
