import { createPrivateKey, createPublicKey, hash, verify } from "node:crypto";
import { omitUndefined } from "../../../conformance/base/omit-undefined.ts";
import type { Access, Identity } from "../../../conformance/request/access.ts";
import { memberOf, parsedJson, payloadProblems, type Problem } from "../../../conformance/values/index.ts";
import { methodsAsTried, requestIdOf } from "../../../generator/model/index.ts";
import { errorsOfMethod, payloadShapes, readingOf } from "../../../generator/model/resolve.ts";
import type { ErrorModel, MethodModel, ServiceModel, Shape } from "../../../generator/model/service-model.ts";
import { missingAuthCodes } from "../../../generator/protocols/signed/server/methods.ts";
import { signedTransport } from "../../../generator/protocols/signed/wire.ts";
import {
  elementsOf,
  fieldVariants,
  mergedField,
} from "../../../generator/targets/shapes/shape-declarations.ts";
import type { AuthServices } from "../../../runtime/auth/auth-services.ts";
import { signedEnvelope } from "../../../runtime/auth/signed-envelope/signed-envelope.ts";
import type {
  ErrorDescriptor,
  Fault,
  MethodDescriptor,
  ObjectShape,
  SignedInterfaceDescriptor,
} from "../../../runtime/contract/index.ts";
import { type SchemeVerifier, serviceOf } from "../../../runtime/index.ts";
import { signedEnvelopes } from "../../../runtime/protocol/signed-envelope/index.ts";
import { refusedBy } from "../../../runtime/service/service.ts";
import type { MockKind } from "../port.ts";
import { mockHandlers, mockOptions, overHttp, validatorOf } from "../served.ts";

/** An interface of signed envelopes, served by the runtime as the service is. */
export const signedMock: MockKind = {
  errorNames: ({ errors }) => errors.map(({ code }) => code),
  mock(access, served) {
    const { model } = served;
    const service = serviceOf(signedEnvelopes(descriptorOf(model)), mockHandlers(served), {
      ...mockOptions(served, (body) => memberOf(parsedJson(Buffer.from(body).toString()), "id")),
      ...authOf(model, access),
    });
    const handle = overHttp(service, (response) => {
      const { status, body } = refusedBy(service, "invalidRequest", 404, "path");
      response.writeHead(status, { "Content-Type": "application/json" }).end(body);
    });
    return {
      handle(request, response) {
        response.setHeader("X-Interface-Revision", model.revision);
        return handle(request, response);
      },
    };
  },
};

/** The documented authentication, for the one caller that an access file names; without one for every caller. */
function authOf(model: ServiceModel, access: Access | undefined) {
  const { authScheme } = model;
  if (access === undefined) return { auth: { [authScheme]: everyone(authScheme) } };
  const registering = model.methods.find(({ registersKey }) => registersKey !== undefined);
  const field = registering?.registersKey?.publicKey;
  const proof =
    registering === undefined || field === undefined ? undefined : { method: registering.name, field };
  const scheme = signedEnvelope(omitUndefined({ proofOfPossession: proof }));
  return { auth: { [authScheme]: scheme }, services: servicesOf(model, access) };
}

function everyone(kind: string): SchemeVerifier {
  return {
    kind,
    bind: () => ({
      verifies: "call",
      verify: () => ({ kind: "identity", identity: { caller: {}, scopes: ["*"] } }),
    }),
  };
}

/** The users and keys of a service that knows one caller. */
function servicesOf(
  { name: realm }: ServiceModel,
  { userName, apiKey, keyId, privateKeyPem }: Identity,
): AuthServices {
  const publicKey = createPublicKey(createPrivateKey(privateKeyPem));
  const user = { userName, institutionId: "mock", realm, scopes: ["*"] };
  const apiKeys = [{ id: "mock", hash: hash("sha256", apiKey, "buffer") }];
  return {
    callers: {
      principal: async (name) => (name === userName ? { user, apiKeys } : undefined),
      activeKey: async (id) => (id === keyId ? { userName, publicKey } : undefined),
      invitation: async () => undefined,
      invalidate() {},
      used() {},
    },
    verifier: { verify: async (key, bytes, signature) => verify("sha256", bytes, key, signature) },
    rules: {},
  };
}

/** The interface as the runtime serves it. Any method can answer any error, for callers ask for them. */
function descriptorOf(model: ServiceModel): SignedInterfaceDescriptor {
  const code = (fault: Fault): string => model.faults[fault] ?? fault;
  const shapeOf = objectShapes(model);
  const { name, revision, path, authScheme } = model;
  return omitUndefined({
    protocol: "signed-envelope" as const,
    name,
    revision,
    path,
    methods: Object.fromEntries(
      methodsAsTried(model).map((method) => [method.name, methodOf(method, model, shapeOf)]),
    ),
    errors: errorsByCode(model.errors),
    faults: {
      badInput: code("badInput"),
      unauthorized: code("unauthorized"),
      badCredential: code("badCredential"),
      unknownKey: code("unknownKey"),
      invalidSignature: code("invalidSignature"),
      conflict: code("conflict"),
      rateLimited: code("rateLimited"),
      unavailable: code("unavailable"),
      internal: code("internal"),
    },
    authScheme,
    requestId: requestIdOf(model, undefined)?.pattern,
    missingAuth: missingAuthCodes(model),
  });
}

function methodOf(
  method: MethodModel,
  model: ServiceModel,
  shapeOf: (shapes: readonly Shape[]) => ObjectShape,
): MethodDescriptor {
  const { name, section = "", effect, path, payload, result } = method;
  const transport = signedTransport(method.transport);
  const reading = { ...readingOf(model, "request"), example: true as const };
  const own = errorsOfMethod(model, method).map(({ message, declared }) => ({ ...declared, message }));
  return omitUndefined({
    name,
    section,
    effect,
    path,
    transport:
      transport.kind === "flat"
        ? transport
        : omitUndefined({ ...transport, requestId: transport.requestId?.pattern }),
    payload: shapeOf(payloadShapes(payload)),
    result: shapeOf([result]),
    validate: validatorOf((value) => payloadProblems(payload, value, reading), reasons),
    errors: errorsByCode([...model.errors, ...own]),
  });
}

/** The errors by their codes, the last one of each. */
function errorsByCode(errors: readonly ErrorModel[]): Readonly<Record<string, ErrorDescriptor>> {
  return Object.fromEntries(
    errors.map(({ code, message, httpStatus, rpcCode, wireCode }) => [
      code,
      omitUndefined({ code, message, httpStatus, rpcCode, wireCode }),
    ]),
  );
}

/** The words that the generated validators have for what is wrong with a field. */
const reasons: Partial<Record<Problem["kind"], string>> = {
  absent: "missing",
  empty: "missing",
  value: "enum",
  repeated: "uniqueItems",
};

/** Gives the objects that a value may be as one, with the fields of all; the same for the same objects. */
function objectShapes({ types }: ServiceModel): (shapes: readonly Shape[]) => ObjectShape {
  const ground = { types: new Map(types.map((type) => [type.name, type])), cases: new Map() };
  const numbers = new Map<object, number>();
  const known = new Map<string, ObjectShape>();
  const numberOf = (object: object): number => {
    const number = numbers.get(object) ?? numbers.size;
    numbers.set(object, number);
    return number;
  };
  const objectsIn = (shapes: readonly Shape[]) =>
    shapes
      .flatMap((shape) => elementsOf(shape, ground))
      .flatMap(({ shape }) => (shape.kind === "object" ? [shape] : []));
  const shapeOf = (shapes: readonly Shape[]): ObjectShape => {
    const objects = objectsIn(shapes);
    const key = objects.map(numberOf).join();
    const made = known.get(key) ?? { fields: fieldVariants(objects).map(fieldOf) };
    known.set(key, made);
    return made;
  };
  const fieldOf = (
    variants: ReturnType<
      typeof fieldVariants<ReturnType<typeof objectsIn>[number]["fields"][number]>
    >[number],
  ) => {
    const { name, spellings, alsoSentAs } = mergedField(variants);
    const shapes = variants.map(({ shape }) => shape);
    const inner = objectsIn(shapes).length === 0 ? undefined : (): ObjectShape => shapeOf(shapes);
    return omitUndefined({ name, spellings, alsoSentAs, shape: inner });
  };
  return shapeOf;
}
