import { createHash } from "node:crypto";
import {
  ContractError,
  jsonRpcFrame,
  omitUndefined,
  RpcError,
  type Frame,
  type JsonObject,
  type JsonRpcErrorDescriptor,
  type JsonRpcFault,
  type JsonRpcInterfaceDescriptor,
  type JsonRpcMethodDescriptor,
  type PayloadValidator,
  type ServiceFault,
  type ValidationError,
} from "../../contract/index.ts";
import { numberTexts } from "../../json/exact-decimal.ts";
import { refuse, type Failure, type Protocol, type Refused } from "../port.ts";
import { createDecode, type JsonRpcCall, messageLimits, type MessageLimits } from "./decode.ts";
import { echoedName, nameParams, declaredValue, readExactNumbers } from "./values.ts";

/** An interface by the letter of JSON-RPC 2.0, in its frame or that of a dialect. @throws RangeError where a limit makes no sense. */
export function jsonRpc(
  descriptor: JsonRpcInterfaceDescriptor,
  chosen?: Partial<MessageLimits>,
): Protocol<JsonRpcMethodDescriptor, JsonRpcCall> {
  const { name, revision, path, methods, schemes, batch, http, document } = descriptor;
  const { frame = jsonRpcFrame } = descriptor;
  const limits = messageLimits(chosen);
  const readsExactly = Object.values(methods).some(({ plans }) => plans?.params !== undefined);
  return {
    name,
    revision,
    path,
    methods,
    schemes,
    transports: descriptor.transports,
    messageBytesMax: limits.bytes,
    notifiedStatus: http.notified,
    ...omitUndefined({ discovery: document === undefined ? undefined : { method: discover, document } }),
    securityOf: ({ security }) => security,
    decode: createDecode({ frame, limits, batch, hasExactNumbers: readsExactly }),
    refusalOf: ({ notify }, { id }) => {
      if (id === undefined && notify === "never")
        return refuse("invalidRequest", { reason: "notification-not-allowed" });
      if (id !== undefined && notify === "only")
        return refuse("invalidRequest", { reason: "notification-only" });
      return undefined;
    },
    evidenceOf: ({ method, paramsBytes: params }) => omitUndefined({ method, params }),
    read: (method, call) => read(method, call, readsExactly),
    identify: ({ effect }, { method, paramsBytes }, { idempotencyKey: key, position }) => {
      if (key === undefined || effect === "read") return undefined;
      const own = position === undefined ? key : `${key}#${position}`;
      if (own === "" || own.length > keyCharactersMax)
        return refuse("invalidRequest", { reason: "idempotency-key-invalid" });
      const hash = createHash("sha256").update(JSON.stringify(method));
      return { key: own, requestHash: hash.update(paramsBytes ?? "").digest("hex") };
    },
    printResult: ({ plans }, result) => printValue(declaredValue(result, plans?.result)),
    printResponse: responsePrinter(frame),
    failureOf: (failed, method) =>
      failed instanceof RpcError
        ? declaredFailure(descriptor, failed, method)
        : refusedFailure(descriptor, failed),
    printBatch,
    revisions: {
      refusalOf: (_method, errors, earlier) => refuse("invalidParams", violationIn(errors, earlier)),
      readResult: (_method, text) => Object(JSON.parse(text)),
    },
  };
}

/** OpenRPC 1.3, section "Service Discovery Method". */
const discover: JsonRpcMethodDescriptor = {
  name: "rpc.discover",
  effect: "read",
  params: "either",
  notify: "allowed",
  parameters: [],
  security: [],
  validate: () => true,
  errors: {},
};

/** With the position in a batch. */
const keyCharactersMax = 255;

/**
 * Names the params, validates them, and fills in the defaults of the spec. `readsExactly`: the interface has parameters with
 * all their digits; these get them, and other integers that a number cannot hold are refused here.
 */
function read(
  method: JsonRpcMethodDescriptor,
  { params, paramsBytes }: JsonRpcCall,
  readsExactly: boolean,
): { readonly kind: "valid"; readonly payload: object } | Refused {
  const named = nameParams(method, params);
  if (!named.ok) return refuse("invalidParams", { data: named.data });
  if (!method.validate(named.params)) return refuse("invalidParams", violationOf(method.validate));
  if (readsExactly && paramsBytes !== undefined) {
    const texts = nameParams(method, Object(numberTexts(paramsBytes.toString("utf8"))));
    const inexact = texts.ok ? readExactNumbers(named.params, texts.params, method.plans?.params) : undefined;
    if (inexact !== undefined)
      return refuse("invalidParams", { field: echoedPath(inexact.field), reason: inexact.reason });
  }
  return { kind: "valid", payload: method.fillDefaults?.(named.params) ?? named.params };
}

/** A fault that JSON-RPC has no error for is one of the service's own. */
function faultIn({ faults }: JsonRpcInterfaceDescriptor, fault: ServiceFault): JsonRpcErrorDescriptor {
  const own: JsonRpcFault = fault === "conflict" ? "internalError" : fault;
  return faults[own];
}

function refusedFailure(
  descriptor: JsonRpcInterfaceDescriptor,
  { fault, field, reason, data, retryAfterS }: Refused,
): Failure {
  const error = faultIn(descriptor, fault);
  const sent = {
    ...omitUndefined({ field, reason }),
    ...data,
    ...omitUndefined({ retryAfter: retryAfterS }),
  };
  const dataText = Object.keys(sent).length === 0 ? undefined : printValue(sent);
  return failure(descriptor, error, omitUndefined({ reason, retryAfterS, dataText }));
}

interface FailureParts extends Pick<Failure, "reason" | "retryAfterS"> {
  readonly dataText?: string;
}

function failure(
  { http, frame = jsonRpcFrame }: JsonRpcInterfaceDescriptor,
  error: JsonRpcErrorDescriptor,
  { dataText, ...parts }: FailureParts,
): Failure {
  return {
    code: error.name,
    httpStatus: http.status === "mapped" ? error.httpStatus : 200,
    ...parts,
    print: (id) => printError(frame, id, error, dataText),
  };
}

/** An error that a handler has thrown. @throws ContractError where its data does not fit the spec. */
function declaredFailure(
  descriptor: JsonRpcInterfaceDescriptor,
  { code, detail }: RpcError,
  method: JsonRpcMethodDescriptor | undefined,
): Failure | undefined {
  const error = method !== undefined && Object.hasOwn(method.errors, code) ? method.errors[code] : undefined;
  if (error === undefined) return undefined;
  const { field, reason } = detail;
  const isPlain = field === undefined && reason === undefined;
  const data = isPlain ? detail.data : { ...omitUndefined({ field, reason }), ...detail.data };
  if (data === undefined) return failure(descriptor, error, {});
  const dataText = printValue(declaredValue(data, descriptor.errorPlans?.[error.name]));
  checkData(error, JSON.parse(dataText));
  const retryAfterS = retryAfterIn(descriptor, error, data);
  return failure(descriptor, error, omitUndefined({ reason, dataText, retryAfterS }));
}

/** For faults that pass: too many calls, and a service that cannot work now. */
function retryAfterIn(
  { faults }: JsonRpcInterfaceDescriptor,
  { name }: JsonRpcErrorDescriptor,
  data: unknown,
): number | undefined {
  if (name !== faults.rateLimited.name && name !== faults.unavailable.name) return undefined;
  const given = typeof data === "object" && data !== null && "retryAfter" in data ? data.retryAfter : 0;
  return typeof given === "number" && given > 0 && given <= 86_400 ? Math.ceil(given) : undefined;
}

/** @throws ContractError where the data of an error, as it is sent, does not fit the spec. */
function checkData({ name, validateData }: JsonRpcErrorDescriptor, sent: unknown): void {
  if (validateData === undefined || validateData(sent)) return;
  const at = violationOf(validateData);
  throw new ContractError(
    `the data of ${name} does not fit the spec (${JSON.stringify(at)}): correct the handler`,
  );
}

/** Values of an enum or a discriminator that an error lists: a longer list is in the reference. */
const allowedMax = 32;

/** Where and why a value does not fit, and what it may be: no part of the value itself, which may be a secret. */
export function violationOf({ errors }: PayloadValidator): Violation {
  return violationIn(errors ?? []);
}

interface Violation {
  readonly field?: string;
  readonly reason: string;
  readonly data?: JsonObject;
}

function violationIn(
  [first]: readonly ValidationError[],
  earlier = (pointer: string): string => pointer,
): Violation {
  if (first === undefined) return { reason: "invalid" };
  const { allowedValues } = first.params;
  const isShort = Array.isArray(allowedValues) && allowedValues.length <= allowedMax;
  const violation = { field: earlier(pointerOf(first)), reason: first.keyword };
  return isShort ? { ...violation, data: { allowed: allowedValues } } : violation;
}

/** A JSON Pointer (RFC 6901) that includes the name of a missing or surplus member. */
function pointerOf({ instancePath, params }: ValidationError): string {
  const member = params["missingProperty"] ?? params["additionalProperty"];
  const path = echoedPath(instancePath);
  if (typeof member !== "string") return path;
  return `${path}/${echoedName(member).replaceAll("~", "~0").replaceAll("/", "~1")}`;
}

/** A pointer whose names may be those of a map, which callers choose. */
function echoedPath(pointer: string): string {
  return pointer.split("/").map(echoedName).join("/");
}

/**
 * A message that the service sends by itself.
 * @throws ContractError where the interface does not declare it, or the params do not fit the spec.
 */
export function notificationText(
  { name, notifications = {}, frame = jsonRpcFrame }: JsonRpcInterfaceDescriptor,
  method: string,
  params: object | undefined,
): string {
  const declared = Object.hasOwn(notifications, method) ? notifications[method] : undefined;
  if (declared === undefined) {
    const known = Object.keys(notifications).join(", ");
    throw new ContractError(
      `the ${name} interface declares no notification ${method}: ${known === "" ? "it has none" : `it has ${known}`}`,
    );
  }
  const { validate, plan } = declared;
  const sent = params === undefined ? undefined : printValue(declaredValue(params, plan));
  if (validate !== undefined && !validate(JSON.parse(sent ?? "{}"))) {
    const { field = "", reason } = violationOf(validate);
    throw new ContractError(`the params of ${method} do not fit the spec at "${field}" (${reason})`);
  }
  return printNotification(frame, method, sent);
}

/** An error object (section 5.1). */
export interface PrintedError {
  readonly code: number;
  readonly message: string;
}

/** Prints the response object of a call that succeeded (section 5). */
function responsePrinter(frame: Frame): Protocol<JsonRpcMethodDescriptor, JsonRpcCall>["printResponse"] {
  const before = `{${versionText(frame)}${JSON.stringify(frame.result)}:`;
  const between = `,${JSON.stringify(frame.id)}:`;
  return (_method, id, resultText) => `${before}${resultText}${between}${id}}`;
}

/** The response object of a call that failed. `dataText` is JSON. */
export function printError(
  frame: Frame,
  id: string,
  { code, message }: PrintedError,
  dataText?: string,
): string {
  const data = dataText === undefined ? "" : `,"data":${dataText}`;
  const error = `{"code":${code},"message":${JSON.stringify(message)}${data}}`;
  return `{${versionText(frame)}${JSON.stringify(frame.error)}:${error},${JSON.stringify(frame.id)}:${id}}`;
}

/** The answer to a batch: nothing where none of its calls is answered (section 6). */
export function printBatch(responses: readonly string[]): string | undefined {
  return responses.length === 0 ? undefined : `[${responses.join(",")}]`;
}

/** A notification of the server's own: a request object without an `id`. `paramsText` is JSON. */
export function printNotification(frame: Frame, method: string, paramsText: string | undefined): string {
  const params = paramsText === undefined ? "" : `,${JSON.stringify(frame.params)}:${paramsText}`;
  return `{${versionText(frame)}${JSON.stringify(frame.method)}:${JSON.stringify(method)}${params}}`;
}

function versionText({ version }: Frame): string {
  return version === undefined ? "" : `${JSON.stringify(version.member)}:${JSON.stringify(version.value)},`;
}

/** A value as JSON: `undefined` is `null`, a `bigint` all of its digits. @throws TypeError where it cannot be JSON. */
export function printValue(value: unknown): string {
  try {
    return JSON.stringify(value) ?? "null";
  } catch (error) {
    // Only a bigint is worth a second look; whatever else cannot be printed throws again.
    if (!(error instanceof TypeError)) throw error;
    return JSON.stringify(value, exactBigint) ?? "null";
  }
}

function exactBigint(_name: string, value: unknown): unknown {
  return typeof value === "bigint" ? JSON.rawJSON(String(value)) : value;
}
