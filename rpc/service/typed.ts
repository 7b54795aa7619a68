import type { Identity, JsonRpcInterfaceDescriptor } from "../../runtime/contract/index.ts";
import type { VerifiersOf } from "../auth/port.ts";
import type { ServiceOptions } from "./options.ts";

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

/**
 * The options of a service for an interface: each of its schemes needs a verifier of its kind, which finds the caller
 * that the handlers expect. A descriptor without literal types is checked at the start alone.
 */
export type OptionsFor<
  Descriptor extends JsonRpcInterfaceDescriptor,
  Handlers,
  Options extends ServiceOptions,
> = string extends keyof Descriptor["schemes"]
  ? readonly [options?: Options]
  : keyof Descriptor["schemes"] extends never
    ? readonly [options?: Options]
    : readonly [
        options: Options & {
          readonly auth: VerifiersOf<Descriptor["schemes"], CallersIn<Handlers, Descriptor["schemes"]>>;
        },
      ];
