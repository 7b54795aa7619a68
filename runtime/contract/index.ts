export type { JsonObject, JsonValue } from "./json.ts";
export { decimal, type Decimal } from "./decimal.ts";
export { messageOf } from "./message-of.ts";
export { omitUndefined, type Defined, type Given } from "./omit-undefined.ts";
export { sameNames } from "./same-names.ts";
export { withoutUrlSecrets } from "./url-secrets.ts";
export { timeBounds, type TimeBounds, type TimeSource } from "./time-bounds.ts";
export type {
  AuthMember,
  Effect,
  EnvelopedTransport,
  ErrorDescriptor,
  Fault,
  FieldShape,
  FlatTransport,
  HeldValue,
  SignedInterfaceDescriptor,
  MethodDescriptor,
  ObjectShape,
  PayloadValidator,
  ValidationError,
} from "./method.ts";
export { RpcError, UnimplementedError, unimplemented, type RpcErrorDetail } from "./rpc-error.ts";
export {
  passedOn,
  type ConvertedMethod,
  type EventAdapter,
  type MethodAdapter,
  type RemovedMethod,
  type ServedRevision,
} from "./revision.ts";
export type { Contexts, Handler, HandlerContext } from "./handler.ts";
export type { AuthOf, CallersOf, Identity } from "./json-rpc-auth.ts";
export type {
  AnyNotifications,
  ErrorArguments,
  JsonRpcHandler,
  JsonRpcHandlerContext,
  NotificationParams,
  Notifier,
  OpenErrorDetail,
  TypedErrorDetail,
} from "./json-rpc-handler.ts";
export type {
  InterfaceDescriptor,
  JsonRpcErrorDescriptor,
  JsonRpcFault,
  JsonRpcInterfaceDescriptor,
  JsonRpcMethodDescriptor,
  JsonRpcTransport,
  NotificationDescriptor,
  Notify,
  ParameterDescriptor,
  ParamsStyle,
  SchemeDescriptor,
  SecurityAlternative,
  ServiceFault,
  ValuePlan,
} from "./json-rpc.ts";
