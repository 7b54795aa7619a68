import type { AnyNotifications, Identity, JsonRpcInterfaceDescriptor, Notifier } from "../contract/index.ts";
import type { VerifiersOf } from "../auth/port.ts";
import type { CallContext, CallInfo, ServiceOptions, Store } from "./options.ts";

/** `context.auth` as the handlers see it. */
type AuthIn<Handlers> = {
  [Name in keyof Handlers]: Handlers[Name] extends (payload: never, context: infer Context) => unknown
    ? Context extends { readonly auth: infer Auth }
      ? Auth
      : never
    : never;
}[keyof Handlers];

type CallerIn<Auth, Scheme extends PropertyKey> = Auth extends unknown
  ? Scheme extends keyof Auth
    ? Auth[Scheme] extends Identity<infer Caller>
      ? Caller
      : never
    : never
  : never;

/** The callers that the handlers expect, by the name of the scheme. */
type CallersIn<Handlers, Schemes> = {
  readonly [Scheme in keyof Schemes]: [CallerIn<AuthIn<Handlers>, Scheme>] extends [never]
    ? unknown
    : CallerIn<AuthIn<Handlers>, Scheme>;
};

type NotificationsOf<Handler> = Handler extends (payload: never, context: infer Context) => unknown
  ? "notify" extends keyof Context
    ? Context extends { readonly notify?: Notifier<infer Notifications> }
      ? Notifications
      : never
    : never
  : never;

/** The notifications of the interface, as its handlers know them. */
export type NotificationsIn<Handlers> = [NotificationsOf<Handlers[keyof Handlers]>] extends [never]
  ? AnyNotifications
  : NotificationsOf<Handlers[keyof Handlers]>;

/** The members that the service itself puts into every handler's context. */
type OwnMembers = keyof CallContext | "error";

type ContextsIn<Handlers> = {
  [Name in keyof Handlers]: Handlers[Name] extends (payload: never, context: infer Context) => unknown
    ? (context: Omit<Context, OwnMembers>) => void
    : never;
}[keyof Handlers];

/** The further context of the handlers: the intersection of what each of them needs. */
type NeededContext<Handlers> = ContextsIn<Handlers> extends (context: infer Needed) => void ? Needed : object;

/** The part of the options that makes the application's context. With a store, a part of it comes from there. */
type ContextOption<Handlers> =
  object extends NeededContext<Handlers>
    ? unknown
    :
        | { readonly context: (call: CallInfo) => NeededContext<Handlers> | Promise<NeededContext<Handlers>> }
        | { readonly store: Store };

type AuthOption<Schemes, Handlers> = string extends keyof Schemes
  ? unknown
  : keyof Schemes extends never
    ? unknown
    : { readonly auth: VerifiersOf<Schemes, CallersIn<Handlers, Schemes>> };

/**
 * The options of a service for an interface. Each of its schemes needs a verifier of its kind, which finds the caller
 * that the handlers expect. A descriptor without literal types is checked at the start alone. `context` has to make
 * what the handlers expect, unless a store does.
 */
export type OptionsFor<
  Descriptor extends JsonRpcInterfaceDescriptor,
  Handlers,
  Options extends ServiceOptions,
> = unknown extends AuthOption<Descriptor["schemes"], Handlers> & ContextOption<Handlers>
  ? readonly [options?: Options]
  : readonly [options: Options & AuthOption<Descriptor["schemes"], Handlers> & ContextOption<Handlers>];
