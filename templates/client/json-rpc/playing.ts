import {
  type Example,
  fieldsOf,
  type Failure,
  type Played,
  type Playing,
  type Received,
} from "../fake-service.ts";
import type { ClientOptions } from "./connection.ts";
import { type Id, jsonText } from "./message.ts";

/** The examples of an interface, as its spec has them. */
export interface Examples {
  readonly methods: readonly MethodExamples[];
  /** Code and message of each error, by its name. */
  readonly errors: Readonly<Record<string, { readonly code: number; readonly message: string }>>;
}

/** Examples of one method: requests and answers. */
export interface MethodExamples {
  readonly name: string;
  /** The names of the parameters, in the order of their positions. */
  readonly parameters: readonly string[];
  readonly examples: readonly Example[];
}

/** A call or notification that a fake service received. The id of a notification is undefined. */
export interface FakeCall extends Received<Id> {}

/** Plays a service of JSON-RPC 2.0. An error is its name, or a code that the interface does not know. */
export function playing({ methods, errors }: Examples): Playing<ClientOptions, Id, string | number> {
  const played = (message: unknown, key: string | null): Played<Id> => {
    const { method, id, params } = fieldsOf(message);
    const parameters = methods.find(({ name }) => name === method)?.parameters ?? [];
    const payload = Array.isArray(params) ? byName(parameters, params) : fieldsOf(params);
    const known = typeof id === "string" || typeof id === "number" ? id : undefined;
    const answer = (outcome: object) =>
      known === undefined ? undefined : jsonText({ jsonrpc: "2.0", id, ...outcome });
    return {
      method: String(method),
      id: known,
      payload,
      key: key === null ? undefined : jsonText([key, method, payload]),
      result: (result) => answer({ result: result ?? null }),
      failure: ({ code, message: text, data }) => answer({ error: { code, message: text, data } }),
    };
  };
  return {
    methods,
    missing: -32603,
    options: (fetch) => ({ url: "https://fake.invalid/rpc", backoffMs: 1, fetch }),
    read: (body, _url, headers) =>
      (Array.isArray(body) ? body : [body]).map((one) => played(one, headers.get("idempotency-key"))),
    response(answers, body) {
      if (answers.length === 0) return new Response(null, { status: 204 });
      const text = Array.isArray(body) ? `[${answers.join(",")}]` : answers[0];
      return new Response(text, { headers: { "Content-Type": "application/json" } });
    },
    failure(error, message, data): Failure {
      if (typeof error === "number") return { code: error, message: message ?? `error ${error}`, data };
      const known = Object.entries(errors).find(([name]) => name === error)?.[1];
      if (!known) throw new TypeError(`no error ${error}`);
      return { code: known.code, message: message ?? known.message, data };
    },
  };
}

function byName(names: readonly string[], values: readonly unknown[]): Readonly<Record<string, unknown>> {
  return Object.fromEntries(names.slice(0, values.length).map((name, at) => [name, values[at]]));
}
