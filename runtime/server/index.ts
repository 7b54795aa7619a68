export {
  defineApplication,
  type AnyRow,
  type Application,
  type ApplicationDraft,
  type InterfaceRow,
  type StandardRow,
  type TopicWords,
} from "./application.ts";
export { compose, type ComposeOptions, type Service } from "./compose.ts";
export {
  createServer,
  realmsOf,
  type Server,
  type ServerOptions,
  type ServerUser,
  type Settings,
} from "./create-server.ts";
export type { Listening } from "./listen.ts";
export { openReader, sealerOf, storeOptionsOf } from "./from-config.ts";
export type { Caller } from "../auth/auth-services.ts";
export { signedEnvelope } from "../auth/index.ts";
export {
  both,
  choice,
  flag,
  list,
  type Config,
  type Setting,
  type Value,
} from "../operations/config/index.ts";
export type { ReadContext, WriteContext } from "../pipeline/handler-context.ts";
export { subscribe, type SubscriptionDraft, type UserAccess } from "../operations/admin/index.ts";
