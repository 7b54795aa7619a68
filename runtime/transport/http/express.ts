import type { JsonRpcInterfaceDescriptor } from "../../contract/index.ts";
import {
  type AnsweringService,
  type AnyHandlers,
  type OptionsFor,
  type ServiceOptions,
  startService,
} from "../../service/index.ts";
import { type HttpHandler, type HttpOptions, createHttpHandler } from "./standard-endpoint.ts";
export { serve, type ServeOptions, type ServedApp } from "./serve.ts";

/** Options of `rpc` beside the interface and its handlers. */
export interface RpcOptions extends ServiceOptions {
  readonly http?: HttpOptions;
}

/**
 * An interface as a request handler for any Express app:
 * `app.use("/rpc", rpc(tasksInterface, handlers, { auth, context, store }))`.
 *
 * Mount it before body parsers: some authentication schemes cover the bytes as they were sent. After one, every call is
 * answered with HTTP 500 and the reason `body-already-read`.
 * @throws Error where a handler or a verifier is missing, or the generated code is newer than this runtime.
 */
export function rpc<Descriptor extends JsonRpcInterfaceDescriptor, Handlers extends AnyHandlers<Handlers>>(
  descriptor: Descriptor,
  handlers: Handlers,
  ...[options]: OptionsFor<Descriptor, Handlers, RpcOptions>
): HttpHandler {
  return rpcHandler(startService(descriptor, { ...handlers }, options ?? {}), options?.http);
}

/** The same for a service that is reached over other transports, too. */
export function rpcHandler(service: AnsweringService, options: HttpOptions = {}): HttpHandler {
  return createHttpHandler(service, options);
}
