export type { AnyHandler } from "../service/options.ts";
export { createCallers, createVerifier, type CallersOptions, type ProcessCallers } from "./auth-services.ts";
export { createEventTranslator } from "./event-translator.ts";
export type * from "./handler-context.ts";
export { storedNonces } from "./stored-nonces.ts";
export { signInFaults, type FailedSignIn, type SignInFault } from "../service/options.ts";
export {
  pipelineOver,
  type CallTrace,
  type Pipeline,
  type RawRequest,
  type RawResponse,
} from "../service/service.ts";
export type { PipelinePorts } from "./engine-store.ts";
export type { OutboxListener } from "./outbox.ts";
export {
  createPipeline,
  createStandardPipeline,
  type EngineParts,
  type PipelineOptions,
  type PipelineRules,
  type StandardPipelineOptions,
} from "./pipeline.ts";
