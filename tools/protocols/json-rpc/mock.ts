import { namedErrors } from "../../../generator/model/standard-errors.ts";
import type { MockKind, MockHandler, ServedMock } from "../port.ts";
import { omitUndefined } from "../../../conformance/base/omit-undefined.ts";
import type { Credentials } from "../../../conformance/request/credential.ts";
import { createService, rpcHandler, type RpcService } from "../../../runtime/index.ts";
import {
  RpcError,
  type JsonObject,
  type JsonRpcInterfaceDescriptor,
  type JsonRpcMethodDescriptor,
  type PayloadValidator,
  type ValuePlan,
} from "../../../runtime/contract/index.ts";
import type {
  ServiceModel,
  JsonRpcWireModel,
  MethodModel,
  Shape,
} from "../../../generator/model/service-model.ts";
import { wireOf, jsonRpcTransport } from "../../../generator/protocols/json-rpc/wire.ts";
import { answerOf, sampleOf, type AnsweredCall } from "../../mock/answers.ts";
import { mockHeaders } from "../../mock/faults.ts";
import { verifiersOf } from "./verifiers.ts";
import { problemsOf, type Reading } from "../../../conformance/values/index.ts";
import { openRpcDocument } from "../../../generator/protocols/json-rpc/documents/openrpc.ts";
import { holdsBigint } from "../../../generator/model/holds.ts";
import { payloadShapes, readingOf, takesNull } from "../../../generator/model/resolve.ts";

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

/**
 * A standard interface as the runtime serves it, made from the model; where it `isOpen`, without its schemes. Any method can
 * answer any error, for callers ask for them.
 */
function mockDescriptor(
  model: ServiceModel,
  wire: JsonRpcWireModel,
  isOpen: boolean,
): JsonRpcInterfaceDescriptor {
  return {
    protocol: wire.protocol,
    contract: 1,
    name: model.name,
    title: model.title,
    revision: model.revision,
    path: model.path,
    http: wire.http,
    batch: wire.batch,
    transports: [...new Set(["http" as const, "stdio" as const, ...wire.transports])],
    methods: Object.fromEntries(
      model.methods.map((method) => [method.name, methodDescriptor(method, model, wire, isOpen)]),
    ),
    faults: wire.faults,
    document: JSON.stringify(openRpcDocument(model)),
    schemes: isOpen
      ? {}
      : Object.fromEntries(model.schemes.map(({ name, kind, options }) => [name, { kind, ...options }])),
  };
}

function methodDescriptor(
  method: MethodModel,
  model: ServiceModel,
  wire: JsonRpcWireModel,
  isOpen: boolean,
): JsonRpcMethodDescriptor {
  const { name, effect } = method;
  const transport = jsonRpcTransport(method.transport);
  const [payload] = payloadShapes(method.payload);
  if (payload === undefined) throw new Error(`${name} has no payload`);
  const own = new Map(method.errors.map(({ code, message }) => [code, message]));
  const errors = namedErrors(model, wire).map(({ name: error, code, message, httpStatus }) => [
    error,
    { name: error, code, message: own.get(error) ?? message, httpStatus },
  ]);
  return {
    name,
    effect,
    params: transport.params,
    notify: transport.notify,
    parameters: payload.fields.map((field) => ({
      name: field.name,
      required: field.presence.kind === "required",
      nullable: takesNull(field.shape, model),
    })),
    security: isOpen
      ? []
      : method.security.map((uses) => Object.fromEntries(uses.map(({ scheme, scopes }) => [scheme, scopes]))),
    ...omitUndefined({ plans: holdsBigint(model, payload) ? { params: everyInteger } : undefined }),
    validate: validatorOf(payload, readingOf(model, "request")),
    errors: Object.fromEntries(errors),
  };
}

/** The mock takes integers of any size wherever parameters have a `bigint`; it answers none of them back. */
const everyInteger: ValuePlan = { number: "bigint", items: () => everyInteger };

/** Checks a value against a shape, and names the members that do not fit. */
function validatorOf(shape: Shape, reading: Reading): PayloadValidator {
  const validate: PayloadValidator = (value) => {
    const problems = problemsOf(shape, value, reading);
    validate.errors = problems.map(({ at, kind }) => ({ instancePath: at, keyword: kind, params: {} }));
    return problems.length === 0;
  };
  return validate;
}
