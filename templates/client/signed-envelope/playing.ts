import { type Example, fieldsOf, type Fields, type Playing, type Received } from "../fake-service.ts";
import { isObject } from "../json.ts";
import type { ClientOptions } from "./guard.ts";
import { type ErrorCode, path } from "./interface.ts";

/** The examples of an interface, as its spec has them. */
export interface Examples {
  readonly methods: readonly MethodExamples[];
  readonly errors: Readonly<Record<string, ErrorExample>>;
}

/** How one error looks. */
export interface ErrorExample {
  readonly message: string;
  /** Its number in `error.data.rpcCode`. */
  readonly rpcCode: number;
  /** The `error.code`, where it is a number instead of the name. */
  readonly wireCode?: number | string;
}

/** The requests and answers of one method's examples. */
export interface MethodExamples {
  readonly name: string;
  /** Where it is not at the path of the interface. */
  readonly path?: string;
  /** Whether a call makes something new: one that comes again under its id takes effect once. */
  readonly creates?: true;
  /** The fields that identify its body, where it has no envelope; none: its path does. */
  readonly selectedBy?: readonly string[];
  /** The values by which these fields identify it, of each that another method has too. */
  readonly only?: Readonly<Record<string, HeldValue>>;
  readonly examples: readonly Example[];
}

/** One of these values, or any of a type of JSON. */
export type HeldValue =
  | { readonly oneOf: readonly unknown[] }
  | { readonly type: "string" | "number" | "boolean" | "array" | "object" };

/** A request that a fake service received. Its id is undefined where the body has no envelope. */
export interface FakeCall extends Received<string> {}

/** Plays a service of signed envelopes. It verifies no signature. */
export function playing({ methods, errors }: Examples): Playing<ClientOptions, string, ErrorCode> {
  return {
    methods,
    missing: "NO_EXAMPLE",
    options: (fetch) => ({
      baseUrl: "https://fake.invalid",
      credential: { userName: "fake", apiKey: "fake" },
      signer: { keyId: "fake", sign: async () => new Uint8Array(64) },
      backoffMs: 1,
      fetch,
    }),
    read(body, { pathname }) {
      const { method, id, params } = fieldsOf(body);
      const isEnvelope = isObject<Fields>(params);
      const payload = fieldsOf(isEnvelope ? params["payload"] : body);
      const called = methods.find(
        (one) =>
          (one.path ?? path) === pathname && (isEnvelope ? one.name === method : isSelected(one, payload)),
      );
      const name = called?.name ?? String(method);
      return [
        {
          method: name,
          id: typeof id === "string" ? id : undefined,
          payload,
          key: isEnvelope && called?.creates ? JSON.stringify([name, id, payload]) : undefined,
          result: (result) => JSON.stringify(isEnvelope ? { id, result, jsonrpc: "2.0" } : result),
          failure({ code, message, field, data: more }, count) {
            const { rpcCode, wireCode = code } = errors[code] ?? {};
            const data = {
              ...fieldsOf(more),
              ...(field !== undefined && { field }),
              rpcCode,
              requestId: `fake-${count}`,
            };
            return JSON.stringify({
              id: id ?? null,
              error: { code: wireCode, message, data },
              jsonrpc: "2.0",
            });
          },
        },
      ];
    },
    response: ([text]) => new Response(text, { headers: { "Content-Type": "application/json" } }),
    failure(code, message = errors[code]?.message ?? code, data?: unknown) {
      return { code, message: message.replace("{field}", "payload"), data };
    },
  };
}

/** Whether a body without an envelope is of this method. */
function isSelected({ selectedBy, only }: MethodExamples, payload: Fields): boolean {
  if (!selectedBy?.length) return selectedBy !== undefined;
  return selectedBy.some((field) => {
    const held = only?.[field];
    return field in payload && (held === undefined || holds(held, payload[field]));
  });
}

function holds(held: HeldValue, value: unknown): boolean {
  if ("oneOf" in held) return held.oneOf.includes(value);
  if (Array.isArray(value)) return held.type === "array";
  return value !== null && typeof value === held.type;
}
