import type { JsonValue } from "./json.ts";
import type { RpcError, RpcErrorDetail } from "./rpc-error.ts";

/** The detail of an error whose `data` the spec leaves open. */
export interface OpenErrorDetail<FieldPointer extends string> extends Omit<
  RpcErrorDetail<FieldPointer>,
  "data"
> {
  readonly data?: JsonValue;
}

/** The detail of an error whose `data` has a type in the spec. */
export interface TypedErrorDetail<Data> {
  /** Sent as `error.data`. */
  readonly data: Data;
  /** The failure behind it: reported, never sent. */
  readonly cause?: unknown;
}

/**
 * The arguments after the name of an error: its data has to be given where the spec gives it a type. For an unknown
 * name TypeScript takes all of them: then the name is wrong, not the number of arguments.
 */
export type ErrorArguments<Errors, Name extends keyof Errors, FieldPointer extends string> = [
  Errors[Name],
] extends [undefined]
  ? readonly [detail?: OpenErrorDetail<FieldPointer>]
  : [undefined, keyof Errors] extends [Errors[Name], Name]
    ? readonly [detail?: unknown]
    : readonly [detail: TypedErrorDetail<Errors[Name]>];

/** The params of a notification: they may be left out where none of their members is required. */
export type NotificationParams<Params> = object extends Params
  ? readonly [params?: Params]
  : readonly [params: Params];

/** Notifications of any name, where the types know nothing of the spec. */
export type AnyNotifications = Readonly<Record<string, object>>;

/** Sends a notification that the spec declares; false where the connection is closed or its client does not read. */
export interface Notifier<Notifications extends object = AnyNotifications> {
  <Name extends keyof Notifications & string>(
    method: Name,
    ...params: NotificationParams<Notifications[Name]>
  ): boolean;
}

/**
 * The context of every handler of a standard interface. `Errors` has the type of `error.data` by the name of the error,
 * undefined where the spec leaves it open. `Auth` is the union of the method's alternatives. `Notifications` has the type
 * of the params by the name of the notification.
 */
export interface JsonRpcHandlerContext<
  Errors extends object,
  FieldPointer extends string = string,
  Auth extends object = object,
  Notifications extends object = AnyNotifications,
> {
  /**
   * Builds a declared failure: `throw context.error("GONE", { data: task })`. Errors that the method does not declare
   * do not compile.
   */
  error<Name extends keyof Errors & string>(
    name: Name,
    ...detail: ErrorArguments<Errors, Name, FieldPointer>
  ): RpcError<Name>;
  /** Who calls, by the name of the authentication scheme. Empty where the method is open. */
  readonly auth: Auth;
  /** Aborts when the call has run out of time, or when its connection is closed. */
  readonly signal: AbortSignal;
  /** Sends a notification over the connection of the call. Absent over HTTP, which has no way back. */
  readonly notify?: Notifier<Notifications>;
}

/** The body of one method. A method without a result may return nothing. */
export type JsonRpcHandler<
  Payload,
  Result,
  Errors extends object,
  Context extends object,
  FieldPointer extends string = string,
  Auth extends object = object,
  Notifications extends object = AnyNotifications,
> = (
  payload: Payload,
  context: JsonRpcHandlerContext<Errors, FieldPointer, Auth, Notifications> & Context,
) => Promise<null extends Result ? Result | void : Result>;
