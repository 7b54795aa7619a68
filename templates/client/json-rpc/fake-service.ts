import { type Example, exampleOf } from "../example-of.ts";
import { isObject } from "../json.ts";
import type { MethodTypes } from "./batch.ts";
import type { ClientOptions } from "./connection.ts";
import { isServiceError } from "./service-error.ts";
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

/** A call or notification that a fake service received. */
export interface FakeCall {
  readonly method: string;
  /** Undefined for a notification. */
  readonly id: Id | undefined;
  readonly payload: Fields;
}

type Fields = Readonly<Record<string, unknown>>;
type Answerer = (payload: never) => unknown;

/**
 * Answers tests from the interface's examples. The payload of an example gets the result of that example; any other
 * payload gets the result of the method's first example. It keeps no state, checks neither payloads nor credentials;
 * `answer` and `refuse` override it.
 */
export class FakeService<Methods extends MethodTypes<Methods>> {
  /** For a client; change what the test is about. */
  readonly options: ClientOptions;
  /** Every call received, in order, also those that were refused. */
  readonly calls: FakeCall[] = [];
  readonly #examples: Examples;
  readonly #answerers = new Map<unknown, Answerer>();
  #lost = 0;

  constructor(examples: Examples) {
    this.#examples = examples;
    this.options = {
      url: "https://fake.invalid/rpc",
      backoffMs: 1,
      fetch: async (_url, { body }) => await this.#respond(await new Response(body ?? null).text()),
    };
  }

  /** Answers a method by this function from now on. A `ServiceError` that it throws is answered too. */
  answer<Name extends keyof Methods>(
    method: Name,
    answerer: (
      payload: Methods[Name]["payload"],
    ) => Methods[Name]["result"] | Promise<Methods[Name]["result"]>,
  ): void {
    this.#answerers.set(method, answerer);
  }

  /** Refuses a method with this error from now on: its name, or a code that the interface does not know. */
  refuse(method: keyof Methods, error: string | number, message?: string, data?: unknown): void {
    this.#answerers.set(method, () => {
      throw this.#errorOf(error, message, data);
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

  async #respond(text: string): Promise<Response> {
    const message: unknown = JSON.parse(text);
    const answers: string[] = [];
    for (const one of Array.isArray(message) ? message : [message]) {
      const answer = await this.#answered(isObject<Fields>(one) ? one : {});
      if (answer !== undefined) answers.push(answer);
    }
    if (this.#lost > 0) {
      this.#lost -= 1;
      throw new TypeError("the line broke");
    }
    const body = Array.isArray(message) ? `[${answers.join(",")}]` : answers[0];
    const headers = { "Content-Type": "application/json" };
    return answers.length === 0 ? new Response(null, { status: 204 }) : new Response(body, { headers });
  }

  async #answered({ method, id, params }: Fields): Promise<string | undefined> {
    const name = String(method);
    const payload = this.#payloadOf(name, params);
    const isCall = typeof id === "string" || typeof id === "number";
    this.calls.push({ method: name, id: isCall ? id : undefined, payload });
    const head = { jsonrpc: "2.0", id };
    try {
      const answerer = this.#answerers.get(name);
      const result: unknown = answerer
        ? await Reflect.apply(answerer, undefined, [payload])
        : this.#exampleResult(name, payload);
      return isCall ? jsonText({ ...head, result: result ?? null }) : undefined;
    } catch (thrown) {
      if (!(thrown instanceof FakeError || isServiceError(thrown))) throw thrown;
      const { code, message, data } = thrown;
      return isCall ? jsonText({ ...head, error: { code, message, data } }) : undefined;
    }
  }

  #payloadOf(name: string, params: unknown): Fields {
    if (!Array.isArray(params)) return isObject<Fields>(params) ? params : {};
    const { parameters = [] } = this.#examples.methods.find((one) => one.name === name) ?? {};
    const values: readonly unknown[] = params;
    return Object.fromEntries(parameters.slice(0, values.length).map((key, at) => [key, values[at]]));
  }

  #exampleResult(name: string, payload: Fields): unknown {
    const method = this.#examples.methods.find((one) => one.name === name);
    const example = exampleOf(method?.examples, payload);
    if (example?.error !== undefined) throw this.#errorOf(example.error);
    if (example) return example.result;
    throw new FakeError(-32603, `${name} has no example with a result: give it one by answer()`, undefined);
  }

  #errorOf(error: string | number, message?: string, data?: unknown): FakeError {
    if (typeof error === "number") return new FakeError(error, message ?? `error ${error}`, data);
    const known = Object.entries(this.#examples.errors).find(([name]) => name === error)?.[1];
    if (!known) throw new TypeError(`no error ${error}`);
    return new FakeError(known.code, message ?? known.message, data);
  }
}

/** An error that the fake service answers with. */
class FakeError extends Error {
  readonly code: number;
  readonly data: unknown;

  constructor(code: number, message: string, data: unknown) {
    super(message);
    this.code = code;
    this.data = data;
  }
}
