import { omitUndefined } from "../../../conformance/base/omit-undefined.ts";
import type { Credentials } from "../../../conformance/request/credential.ts";
import { problemsOf } from "../../../conformance/values/index.ts";
import { holdsBigint } from "../../../generator/model/holds.ts";
import { payloadShapes, readingOf, takesNull } from "../../../generator/model/resolve.ts";
import type { JsonRpcWireModel, MethodModel, ServiceModel } from "../../../generator/model/service-model.ts";
import { namedErrors } from "../../../generator/model/standard-errors.ts";
import { openRpcDocument } from "../../../generator/protocols/json-rpc/documents/openrpc.ts";
import { jsonRpcTransport, wireOf } from "../../../generator/protocols/json-rpc/wire.ts";
import type {
  JsonRpcInterfaceDescriptor,
  JsonRpcMethodDescriptor,
  ValuePlan,
} from "../../../runtime/contract/index.ts";
import { createService, type RpcService } from "../../../runtime/index.ts";
import type { MockKind, ServedMock } from "../port.ts";
import { mockHandlers, mockOptions, overHttp, validatorOf } from "../served.ts";
import { verifiersOf } from "./verifiers.ts";

/** A standard interface, served with its own runtime; without `credentials` to every caller. */
export function standardMock(credentials: Credentials | undefined, served: ServedMock): RpcService {
  const { model } = served;
  const descriptor = mockDescriptor(model, wireOf(model), credentials === undefined);
  return createService(descriptor, mockHandlers(served), {
    ...mockOptions(served),
    ...omitUndefined({ auth: credentials === undefined ? undefined : verifiersOf(model, credentials) }),
  });
}

export const jsonRpcMock: MockKind = {
  errorNames: (model) => namedErrors(model, wireOf(model)).map(({ name }) => name),
  mock(access, served) {
    const credentials = access === undefined ? undefined : (access.credentials ?? {});
    const service = standardMock(credentials, served);
    const handle = overHttp(service, (response, path) =>
      response
        .writeHead(404, { "Content-Type": "text/plain; charset=utf-8" })
        .end(`The interface is at ${path}\n`),
    );
    return { handle, service };
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
    protocol: "json-rpc-2.0",
    contract: 1,
    frame: wire.frame,
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
    validate: validatorOf((value) => problemsOf(payload, value, readingOf(model, "request"))),
    errors: Object.fromEntries(errors),
  };
}

/** The mock takes integers of any size wherever parameters have a `bigint`; it answers none of them back. */
const everyInteger: ValuePlan = { number: "bigint", items: () => everyInteger };
