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
export { createEventWords, type EventWords } from "./revisions/index.ts";
export type { CallTrace, WireAnswer, WireRequest } from "./raw-exchange.ts";
export {
  createCallerDirectory,
  createNonceRegister,
  type CallerDirectory,
  type CallerDirectoryOptions,
  type NonceRegister,
  type NonceRegisterOptions,
} from "./authenticate/index.ts";
export { bodyBytesMax } from "./decode/index.ts";
