import { type Example, exampleOf } from "../example-of.ts";
import { isObject } from "../json.ts";
import { isServiceError } from "./errors.ts";
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
  /** Whether a call makes something new: one that comes again under its id takes effect once (D-24). */
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

/** A request that a fake service received. */
export interface FakeCall {
  readonly method: string;
  /** The request's id; undefined where the body has no envelope. */
  readonly id: string | undefined;
  readonly payload: Fields;
}

/** Payload and result of each method, by its documented name. */
type MethodTypes<Methods> = {
  readonly [Name in keyof Methods]: { readonly payload: object; readonly result: object };
};
type Fields = Readonly<Record<string, unknown>>;
type Answerer = (payload: never) => unknown;

/**
 * Answers tests from the interface's examples. The payload of an example gets the result of that example; any other
 * payload gets the result of the method's first example. It keeps no state, checks no payload and verifies no
 * signature; `answer` and `refuse` override it. A call that makes something and comes again under its id gets its
 * first result, as from the service (D-24).
 */
export class FakeService<Methods extends MethodTypes<Methods>> {
  /** For a client; change what the test is about. */
  readonly options: ClientOptions;
  /** Every request received, in order, also those that were refused. */
  readonly calls: FakeCall[] = [];
  readonly #examples: Examples;
  readonly #answerers = new Map<unknown, Answerer>();
  readonly #firstResults = new Map<string | undefined, string>();
  #lost = 0;

  constructor(examples: Examples) {
    this.#examples = examples;
    this.options = {
      baseUrl: "https://fake.invalid",
      credential: { userName: "fake", apiKey: "fake" },
      signer: { keyId: "fake", sign: async () => new Uint8Array(64) },
      backoffMs: 1,
      fetch: async (url, { body }) => await this.#respond(new URL(url).pathname, String(body)),
    };
  }

  /** Answers a method by this function from now on. One of the service's errors that it throws is answered too. */
  answer<Name extends keyof Methods>(
    method: Name,
    answerer: (
      payload: Methods[Name]["payload"],
    ) => Methods[Name]["result"] | Promise<Methods[Name]["result"]>,
  ): void {
    this.#answerers.set(method, answerer);
  }

  /** The result of a method's first example that has one: for an `answer` that differs from it in part. */
  exampleResult<Name extends keyof Methods>(method: Name): Methods[Name]["result"] {
    const result = this.#exampleResult(method);
    if (isObject<Methods[Name]["result"]>(result)) return result;
    throw new TypeError(`${String(method)} has no example with a result`);
  }

  /** Refuses a method with this code from now on. */
  refuse(method: keyof Methods, code: ErrorCode, message?: string): void {
    this.#answerers.set(method, () => {
      throw this.#errorOf(code, message);
    });
  }

  /** Answers a method from the examples again. */
  restore(method: keyof Methods): void {
    this.#answerers.delete(method);
  }

  /** Breaks the line after each of the next requests has been answered: the caller gets nothing. */
  loseAnswers(count: number): void {
    this.#lost = count;
  }

  async #respond(pathname: string, text: string): Promise<Response> {
    const body: unknown = JSON.parse(text);
    const { method, id, params } = isObject<Fields>(body) ? body : {};
    const isEnvelope = isObject<Fields>(params);
    const given = isEnvelope ? params["payload"] : body;
    const payload = isObject<Fields>(given) ? given : {};
    const called = this.#examples.methods.find(
      (one) =>
        (one.path ?? path) === pathname && (isEnvelope ? one.name === method : isSelected(one, payload)),
    );
    const name = called?.name ?? String(method);
    this.calls.push({ method: name, id: typeof id === "string" ? id : undefined, payload });
    const key = isEnvelope && called?.creates ? JSON.stringify([name, id, payload]) : undefined;
    const answered =
      this.#firstResults.get(key) ?? (await this.#answered(name, id, payload, isEnvelope, key));
    if (this.#lost > 0) {
      this.#lost -= 1;
      throw new TypeError("the line broke");
    }
    return new Response(answered, { headers: { "Content-Type": "application/json" } });
  }

  async #answered(
    name: string,
    id: unknown,
    payload: Fields,
    isEnvelope: boolean,
    key?: string,
  ): Promise<string> {
    try {
      const answerer = this.#answerers.get(name);
      const result: unknown = answerer
        ? await Reflect.apply(answerer, undefined, [payload])
        : this.#exampleResult(name, payload);
      const answer = JSON.stringify(isEnvelope ? { id, result, jsonrpc: "2.0" } : result);
      if (key !== undefined) this.#firstResults.set(key, answer);
      return answer;
    } catch (thrown) {
      if (!(thrown instanceof FakeError || isServiceError(thrown))) throw thrown;
      const { code, message, field, data: more } = thrown;
      const { rpcCode, wireCode = code } = this.#examples.errors[code] ?? {};
      const requestId = `fake-${this.calls.length}`;
      const data = { ...more, ...(field !== undefined && { field }), rpcCode, requestId };
      return JSON.stringify({ id: id ?? null, error: { code: wireCode, message, data }, jsonrpc: "2.0" });
    }
  }

  #exampleResult(name: unknown, payload?: Fields): unknown {
    const method = this.#examples.methods.find((one) => one.name === name);
    const example = exampleOf(method?.examples, payload);
    if (example?.error !== undefined) throw this.#errorOf(example.error);
    if (example) return example.result;
    throw new FakeError(
      "NO_EXAMPLE",
      `${String(name)} has no example with a result: give it one by answer()`,
    );
  }

  #errorOf(code: string, message = this.#examples.errors[code]?.message ?? code): FakeError {
    return new FakeError(code, message.replace("{field}", "payload"));
  }
}

/** An error that the fake service answers with. */
class FakeError extends Error {
  readonly code: string;
  readonly field: string | undefined;
  readonly data: object | undefined;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
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
