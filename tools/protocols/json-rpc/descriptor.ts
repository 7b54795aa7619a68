import { omitUndefined } from "../../../conformance/omit-undefined.ts";
import { problemsOf, type Reading } from "../../../conformance/values/index.ts";
import type {
  JsonRpcInterfaceDescriptor,
  JsonRpcMethodDescriptor,
  PayloadValidator,
  ValuePlan,
} from "../../../runtime/contract/index.ts";
import { openRpcDocument } from "../../../generator/protocols/json-rpc/documents/openrpc.ts";
import { jsonRpcTransport } from "../../../generator/protocols/json-rpc/wire.ts";
import { holdsBigint } from "../../../generator/model/holds.ts";
import { namedErrors } from "../../../generator/model/standard-errors.ts";
import { payloadShapes, readingOf, takesNull } from "../../../generator/model/resolve.ts";
import type {
  JsonRpcWireModel,
  MethodModel,
  ServiceModel,
  Shape,
} from "../../../generator/model/service-model.ts";

/**
 * A standard interface as the runtime serves it, made from the model; where it `isOpen`, without its schemes. Any method can
 * answer any error, for callers ask for them.
 */
export function mockDescriptor(
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
