import { isOurs } from "./failures.ts";
import { errorName } from "./interface.ts";
import { isObject } from "./json.ts";

export type Fields = Readonly<Record<string, unknown>>;

/** One example of a method: a request and its answer. */
export interface Example {
  readonly payload: unknown;
  readonly result?: unknown;
  /** The error that it gets, by its name in the spec. */
  readonly error?: string;
}

/** A call that a fake service received. */
export interface Received<Id> {
  readonly method: string;
  /** The call's id; undefined where it has none. */
  readonly id: Id | undefined;
  readonly payload: Fields;
}

/** A call in a request, and how its answer is written. */
export interface Played<Id> extends Received<Id> {
  /** Calls with the same key take effect once. */
  readonly key?: string | undefined;
  /** Undefined where nothing is to be answered, as for the failure. */
  result(value: unknown): string | undefined;
  failure(failure: Failure, count: number): string | undefined;
}

/** An error that a fake service answers with. */
export interface Failure {
  readonly code: string | number;
  readonly message: string;
  readonly field?: string | undefined;
  readonly data?: unknown;
}

/** The part of a fake service that depends on its protocol. */
export interface Playing<Options, Id, Name> {
  readonly methods: readonly { readonly name: string; readonly examples: readonly Example[] }[];
  options(fetch: (url: string, init: RequestInit) => Promise<Response>): Options;
  read(body: unknown, url: URL, headers: Headers): readonly Played<Id>[];
  response(answers: readonly string[], body: unknown): Response;
  /** The error of a name of the spec. Throws a `TypeError` for one that there is none of. */
  failure(error: Name | string, message?: string, data?: unknown): Failure;
  /** The code of the answer where an example is missing. */
  readonly missing: string | number;
}

/** Payload and result of each method, by its documented name. */
type MethodTypes<Methods> = {
  readonly [Name in keyof Methods]: { readonly payload: object; readonly result: unknown };
};
type Answerer = (payload: never) => unknown;

/**
 * Answers tests from the interface's examples. The payload of an example gets the result of that example; any other
 * payload gets the result of the method's first example. It keeps no state, and checks neither payloads nor credentials;
 * `answer` and `refuse` override it. A call that makes something and comes again under its key gets its first result.
 */
export class FakeService<Methods extends MethodTypes<Methods>, Options, Id, Name> {
  /** For a client; change what the test is about. */
  readonly options: Options;
  /** Every call received, in order, also those that were refused. */
  readonly calls: Received<Id>[] = [];
  readonly #playing: Playing<Options, Id, Name>;
  readonly #answerers = new Map<unknown, Answerer>();
  readonly #firstAnswers = new Map<string | undefined, string | undefined>();
  #lost = 0;

  constructor(playing: Playing<Options, Id, Name>) {
    this.#playing = playing;
    this.options = playing.options(async (url, init) => await this.#respond(new URL(url), init));
  }

  /** Answers a method by this function from now on. One of the service's errors that it throws is answered too. */
  answer<Method extends keyof Methods>(
    method: Method,
    answerer: (
      payload: Methods[Method]["payload"],
    ) => Methods[Method]["result"] | Promise<Methods[Method]["result"]>,
  ): void {
    this.#answerers.set(method, answerer);
  }

  /** The result of a method's first example that has one: for an `answer` that differs from it in part. */
  exampleResult<Method extends keyof Methods>(method: Method): Methods[Method]["result"] {
    const result = this.#exampleResult(method);
    if (isPresent<Methods[Method]["result"]>(result)) return result;
    throw new TypeError(`${String(method)} has no example with a result`);
  }

  /** Refuses a method with this error from now on. */
  refuse(method: keyof Methods, error: Name, message?: string, data?: unknown): void {
    this.#answerers.set(method, () => {
      throw new Refusal(this.#playing.failure(error, message, data));
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

  async #respond(url: URL, init: RequestInit): Promise<Response> {
    const body: unknown = JSON.parse(String(init.body));
    const answers: string[] = [];
    for (const call of this.#playing.read(body, url, new Headers(init.headers))) {
      const { method, id, payload } = call;
      this.calls.push({ method, id, payload });
      const answer = this.#firstAnswers.get(call.key) ?? (await this.#answered(call));
      if (answer !== undefined) answers.push(answer);
    }
    if (this.#lost > 0) {
      this.#lost -= 1;
      throw new TypeError("the line broke");
    }
    return this.#playing.response(answers, body);
  }

  async #answered(call: Played<Id>): Promise<string | undefined> {
    const { method, payload, key } = call;
    try {
      const answerer = this.#answerers.get(method);
      const result: unknown = answerer
        ? await Reflect.apply(answerer, undefined, [payload])
        : this.#exampleResult(method, payload);
      const answer = call.result(result);
      if (key !== undefined) this.#firstAnswers.set(key, answer);
      return answer;
    } catch (thrown) {
      if (thrown instanceof Refusal) return call.failure(thrown.failure, this.calls.length);
      if (!isOurs(thrown, errorName)) throw thrown;
      return call.failure(Object(thrown), this.calls.length);
    }
  }

  #exampleResult(method: unknown, payload?: Fields): unknown {
    const { methods, missing } = this.#playing;
    const example = exampleOf(methods.find(({ name }) => name === method)?.examples, payload);
    if (!example) {
      const message = `${String(method)} has no example with a result: give it one by answer()`;
      throw new Refusal({ code: missing, message });
    }
    if (example.error === undefined) return example.result;
    throw new Refusal(this.#playing.failure(example.error));
  }
}

/** Thrown where a fake service refuses a call. */
class Refusal extends Error {
  readonly failure: Failure;

  constructor(failure: Failure) {
    super(failure.message);
    this.failure = failure;
  }
}

/** The example that a payload is answered by: one that sends the same payload, or the first that has a result. */
function exampleOf(examples: readonly Example[] = [], payload?: unknown): Example | undefined {
  return (
    examples.find((one) => isSame(one.payload, payload)) ??
    examples.find(({ result }) => result !== undefined)
  );
}

/** Whether two JSON values are equal; the order of members does not count. */
function isSame(a: unknown, b: unknown): boolean {
  if (!(a instanceof Object && b instanceof Object)) return a === b;
  const others = new Map<string, unknown>(Object.entries(b));
  const members = Object.entries(a);
  return members.length === others.size && members.every(([name, value]) => isSame(value, others.get(name)));
}

/** That an example is of its method's type is the spec's promise. */
function isPresent<T>(value: unknown): value is T {
  return value !== undefined;
}

/** The object that a JSON value is, or one without members. */
export function fieldsOf(value: unknown): Fields {
  return isObject<Fields>(value) ? value : {};
}
