import type { HandlerContext } from "../../../runtime/contract/index.ts";
import type { WriteContext } from "../../../runtime/pipeline/handler-context.ts";
import type { ChangeOptions } from "../fault.ts";
import { collectionsOf, withCollections, type Collections } from "./collections.ts";

export type Payload = Readonly<Record<string, unknown>>;

/** A handler's context; for a `read`, its store only reads. */
export type Context = WriteContext & HandlerContext<string>;

export type Handle = (payload: Payload, context: Context) => Promise<object>;

/** Another handler of one operation, made from its own. */
export function withHandler(method: string, change: (sound: Handle) => Handle): ChangeOptions {
  return (options) => {
    const sound = options.handlers[method];
    if (sound === undefined) throw new Error(`there is no handler of ${method}`);
    return { ...options, handlers: { ...options.handlers, [method]: change(givingObjects(sound)) } };
  };
}

function givingObjects(handler: (payload: object, context: object) => Promise<unknown>): Handle {
  return async (payload, context) => Object(await handler(payload, context));
}

/** The handler of one operation is given another payload. */
export function withPayload(method: string, change: (payload: Payload) => Payload): ChangeOptions {
  return withHandler(method, (sound) => (payload, context) => sound(change(payload), context));
}

/** The handler of one operation is given another context. */
export function withContext(
  method: string,
  change: (context: Context, payload: Payload) => Partial<Context>,
): ChangeOptions {
  return withHandler(
    method,
    (sound) => (payload, context) => sound(payload, { ...context, ...change(context, payload) }),
  );
}

/** The handler of one operation works on another store: some of its tables are changed. */
export function withTables(
  method: string,
  change: (store: Collections, payload: Payload, context: Context) => Partial<Collections>,
): ChangeOptions {
  return withContext(method, (context, payload) => ({
    store: withCollections(context.store, change(collectionsOf(context.store), payload, context)),
  }));
}

/** The result of one operation is changed, before it is encoded and remembered. */
export function withResult(
  method: string,
  change: (result: Payload, payload: Payload, context: Context) => object,
): ChangeOptions {
  return withHandler(
    method,
    (sound) => async (payload, context) => change({ ...(await sound(payload, context)) }, payload, context),
  );
}
