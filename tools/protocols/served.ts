import type { ServerResponse } from "node:http";
import { memberOf, type Problem } from "../../conformance/values/index.ts";
import { type JsonObject, type PayloadValidator, RpcError } from "../../runtime/contract/index.ts";
import {
  type AnyHandler,
  rpcHandler,
  type ServedInterface,
  type ServiceOptions,
} from "../../runtime/index.ts";
import { type AnsweredCall, answerOf, sampleOf } from "../mock/answers.ts";
import { mockHeaders } from "../mock/faults.ts";
import type { MockHandler, ServedMock } from "./port.ts";

/**
 * The handlers of a mock: the runtime serves the interface, and each method answers from the spec, or with the error that is
 * asked for.
 */
export function mockHandlers(served: ServedMock): Readonly<Record<string, AnyHandler>> {
  let calls = 0;
  return Object.fromEntries(
    served.model.methods.map((method) => [
      method.name,
      async (params: object, context: object): Promise<unknown> => {
        const sampleKey = String(memberOf(context, "callId") ?? (calls += 1));
        const asked = memberOf(context, "asked") ?? served.errors.get(method.name);
        const call = { method, params: asNumbers(params), sampleKey };
        const result = resultOrThrow(call, asked, served);
        served.onResult(method, result);
        return result;
      },
    ]),
  );
}

/**
 * The options that mocks of all protocols share. By `callIdOf` creations are told apart and repetitions known; without it
 * each call creates something new.
 */
export function mockOptions(
  { onCall }: ServedMock,
  callIdOf: (body: Uint8Array) => unknown = () => undefined,
): Pick<ServiceOptions, "context" | "onCall"> {
  return {
    context: ({ evidence }) => ({
      asked: evidence.header(mockHeaders.error)[0],
      callId: callIdOf(evidence.body),
    }),
    onCall: ({ method, outcome }) => onCall(method ?? "(no method)", outcome === "ok" ? "result" : outcome),
  };
}

/** Examples have numbers, whatever their size. */
function asNumbers(params: object): object {
  const copy: unknown = JSON.parse(
    JSON.stringify(params, (_name, value: unknown) => (typeof value === "bigint" ? Number(value) : value)),
  );
  return copy instanceof Object ? copy : {};
}

/** @throws RpcError where the answer is an error */
function resultOrThrow(call: AnsweredCall, asked: unknown, served: ServedMock): unknown {
  const answer =
    asked === undefined ? answerOf(call, served) : { kind: "error" as const, name: String(asked) };
  if (answer.kind === "result") return answer.value;
  const data = served.model.errors.find(({ code }) => code === answer.name)?.data;
  throw new RpcError(
    answer.name,
    data === undefined ? {} : { data: objectIn(sampleOf(served, data, answer.name)) },
  );
}

function objectIn(value: unknown): JsonObject {
  const copy: JsonObject =
    typeof value === "object" && value !== null ? JSON.parse(JSON.stringify(value)) : {};
  return copy;
}

/** Serves a mock over HTTP, on the paths of its interface. */
export function overHttp(
  service: ServedInterface,
  elsewhere: (response: ServerResponse, path: string) => void,
): MockHandler {
  const handle = rpcHandler(service);
  const { path, otherPaths = [] } = service.protocol;
  return (request, response) => {
    const [pathname = ""] = (request.url ?? "").split("?");
    if (pathname === path || otherPaths.includes(pathname)) handle(request, response);
    else elsewhere(response, path);
  };
}

/** Checks a value, and names the members that do not fit, each with a word for what is wrong. */
export function validatorOf(
  problemsIn: (value: unknown) => readonly Problem[],
  words: Partial<Record<Problem["kind"], string>> = {},
): PayloadValidator {
  const validate: PayloadValidator = (value) => {
    const problems = problemsIn(value);
    validate.errors = problems.map(({ at, kind }) => ({
      instancePath: at,
      keyword: words[kind] ?? kind,
      params: {},
    }));
    return problems.length === 0;
  };
  return validate;
}
