export { createPipeline, type Pipeline } from "./pipeline.ts";
export type {
  AnyHandler,
  FailureLog,
  OutboxListener,
  PipelineOptions,
  PipelinePorts,
  PipelineRules,
} from "./options.ts";
export { createEventTranslator } from "./revisions/index.ts";
export {
  signInFaults,
  type CallTrace,
  type FailedSignIn,
  type RawRequest,
  type RawResponse,
  type SignInFault,
} from "../../protocol/signed-envelope/raw-exchange.ts";
export { bodyBytesMax } from "../../protocol/signed-envelope/decode.ts";
