export { createPipeline, type Pipeline } from "./pipeline.ts";
export type {
  AnyHandler,
  FailureLog,
  MessageSignatureRules,
  PipelineOptions,
  PipelinePorts,
  PipelineRules,
} from "./options.ts";
export type { CallTrace, WireAnswer, WireRequest } from "./wire.ts";
export {
  createCallerDirectory,
  type CallerDirectory,
  type CallerDirectoryOptions,
} from "./authenticate/caller-directory.ts";
export {
  createNonceRegister,
  type NonceRegister,
  type NonceRegisterOptions,
} from "./authenticate/nonce-register.ts";
export { bodyBytesMax } from "./decode/limits.ts";
