import { namedErrors } from "../../../generator/model/standard-errors.ts";
import type { MockKind } from "../port.ts";
import { omitUndefined } from "../../../conformance/omit-undefined.ts";
import type { Credentials } from "../../../conformance/request/credential.ts";
import { createService, rpcHandler, type RpcService } from "../../../runtime/index.ts";
import { RpcError, type JsonObject } from "../../../runtime/contract/index.ts";
import type { ServiceModel } from "../../../generator/model/service-model.ts";
import { wireOf } from "../../../generator/protocols/json-rpc/wire.ts";
import { answerOf, sampleOf, type AnsweredCall } from "../../mock/answers.ts";
import { mockDescriptor } from "./descriptor.ts";
import { mockHeaders } from "../../mock/faults.ts";
import type { MockHandler, ServedMock } from "../../mock/served-mock.ts";
import { verifiersOf } from "./verifiers.ts";

/** A standard interface, served with its own runtime; without `credentials` to every caller. */
export function standardMock(credentials: Credentials | undefined, served: ServedMock): RpcService {
  const { model, onCall } = served;
  const descriptor = mockDescriptor(model, wireOf(model), credentials === undefined);
  let calls = 0;
  const handlers = Object.fromEntries(
    model.methods.map((method) => [
      method.name,
      async (params: object, context: object): Promise<unknown> => {
        const asked = "asked" in context && typeof context.asked === "string" ? context.asked : undefined;
        return resultOrThrow(
          { method, params: asNumbers(params), sampleKey: String((calls += 1)) },
          asked ?? served.errors.get(method.name),
          served,
        );
      },
    ]),
  );
  return createService(descriptor, handlers, {
    ...omitUndefined({ auth: credentials === undefined ? undefined : verifiersOf(model, credentials) }),
    context: ({ evidence }) => ({ asked: evidence.header(mockHeaders.error)[0] }),
    onCall: ({ method, outcome }) => onCall(method ?? "(no method)", outcome === "ok" ? "result" : outcome),
  });
}

/** Examples have numbers, whatever their size. */
function asNumbers(params: object): object {
  const copy: unknown = JSON.parse(
    JSON.stringify(params, (_name, value: unknown) => (typeof value === "bigint" ? Number(value) : value)),
  );
  return copy instanceof Object ? copy : {};
}

/** The same over HTTP. */
export function overHttp(service: RpcService, { path }: ServiceModel): MockHandler {
  const handle = rpcHandler(service);
  return (request, response) => {
    const [pathname] = (request.url ?? "").split("?");
    if (pathname === path) return handle(request, response, () => response.writeHead(404).end());
    response
      .writeHead(404, { "Content-Type": "text/plain; charset=utf-8" })
      .end(`The interface is at ${path}\n`);
  };
}

/** @throws RpcError where the answer is an error */
function resultOrThrow(call: AnsweredCall, asked: string | undefined, served: ServedMock): unknown {
  const answer = asked === undefined ? answerOf(call, served) : { kind: "error" as const, name: asked };
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

export const jsonRpcMock: MockKind = {
  errorNames: (model) => namedErrors(model, wireOf(model)).map(({ name }) => name),
  mock(access, served) {
    const credentials = access === undefined ? undefined : (access.credentials ?? {});
    const service = standardMock(credentials, served);
    return { handle: overHttp(service, served.model), service };
  },
};
