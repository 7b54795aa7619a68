import { framed, jsonRpcFrame } from "../base/frame.ts";
import { omitUndefined } from "../base/omit-undefined.ts";
import type { RequestPlan } from "../suite/case.ts";
import type { BatchItem, CredentialsPlan, WrittenParams } from "../suite/json-rpc.ts";
import type { MethodEntry } from "../suite/suite.ts";
import { edited, jsonText, memberOf } from "../values/index.ts";
import type { BuildOptions, JsonRpcBuild, WireRequest } from "./wire-request.ts";
import type { Credentials } from "./credential.ts";
import { credentialHeaders, satisfiable } from "./credentials.ts";
import { bytesOf, resolveValue } from "./resolve-value.ts";

/** Makes a message of a standard interface from its plan. @throws MissingValue for a missing sample */
export function buildJsonRpc(plan: RequestPlan, options: BuildOptions): WireRequest {
  const { method, lookup, path, rpc: build } = options;
  if (build === undefined) throw new Error(`${method.name}: nothing says how a standard interface is called`);
  const httpMethod = plan.httpMethod ?? "POST";
  const sentPath = plan.path === undefined ? path : String(resolveValue(plan.path, lookup));
  const message = messageOf(plan, options, build);
  const body = finished(message.text, plan, options);
  const proof = plan.credentials ?? usualCredentials(method, build.credentials);
  const credentials = credentialHeaders(
    proof,
    build.protocol.schemes,
    build.credentials,
    signedRequest(proof, {
      httpMethod: build.isByHandshake === true ? "GET" : httpMethod,
      target: build.pathPrefix + sentPath,
      body: build.isByHandshake === true ? Buffer.alloc(0) : body,
    }),
    options.id,
  );
  const headers = new Map<string, string>([
    ["content-type", "application/json"],
    ...Object.entries(credentials),
  ]);
  for (const [name, value] of Object.entries(plan.headers ?? {})) {
    if (value === null) headers.delete(name);
    else headers.set(name, String(resolveValue(value, lookup)));
  }
  return omitUndefined({
    method,
    httpMethod,
    path: sentPath,
    headers: Object.fromEntries(headers),
    body,
    secretHeaders: Object.keys(credentials),
    payload: message.payload,
  });
}

/** The bytes that credentials sign: other ones where a part is changed after signing. */
function signedRequest(
  plans: CredentialsPlan,
  request: { readonly httpMethod: string; readonly target: string; readonly body: Buffer },
) {
  const changes = new Set(plans.map(({ change }) => change));
  return {
    httpMethod: changes.has("method-changed") ? "PUT" : request.httpMethod,
    target: changes.has("path-changed") ? `${request.target}/x` : request.target,
    body: changes.has("body-changed") ? Buffer.concat([request.body, Buffer.from(" ")]) : request.body,
  };
}

/** Those of the first alternative that the access file allows; of the first one where it allows none. */
function usualCredentials({ transport }: MethodEntry, credentials: Credentials): CredentialsPlan {
  const { security = [] } = transport;
  const alternative = satisfiable(security, credentials);
  if (alternative !== undefined) return alternative;
  return security.some((each) => each.length === 0) ? [] : (security[0] ?? []);
}

function messageOf(
  plan: RequestPlan,
  options: BuildOptions,
  build: JsonRpcBuild,
): { readonly text: string; readonly payload?: unknown } {
  const { method, lookup, id } = options;
  if (plan.raw !== undefined) return { text: plan.raw };
  if (plan.batch !== undefined) {
    const items = plan.batch.map((item) => itemOf(item, build, options));
    return { text: JSON.stringify(items) };
  }
  const from = plan.payload === undefined ? method.bases[plan.base ?? "minimal"] : plan.payload;
  const payload = resolveValue(edited(from, plan.edits), lookup);
  const written = writtenParams(payload, method, plan.params);
  const call = framed(build.protocol.frame ?? jsonRpcFrame, {
    method: method.name,
    params: written,
    id: isOnlyNotified(method) ? undefined : id,
  });
  const envelope = resolveValue(edited(call, plan.envelope), lookup);
  return {
    text: plan.text === undefined ? JSON.stringify(envelope) : jsonText(envelope, plan.text),
    payload,
  };
}

function itemOf(
  item: BatchItem,
  { protocol: { frame = jsonRpcFrame }, methodOf }: JsonRpcBuild,
  { lookup }: BuildOptions,
): unknown {
  if (item.kind === "value") return item.value;
  const method = methodOf(item.method);
  const payload = resolveValue(item.payload ?? method?.bases[item.base ?? "minimal"], lookup);
  const written = method === undefined ? undefined : writtenParams(payload, method, undefined);
  return framed(frame, { method: item.method, params: written, id: item.id });
}

export function isOnlyNotified({ transport }: MethodEntry): boolean {
  return transport.notify === "only";
}

/** Parameters by name, or by position in the order of the fields; none where the method has none. */
function writtenParams(payload: unknown, method: MethodEntry, style: WrittenParams | undefined): unknown {
  const { transport, payload: shape } = method;
  const fields = shape.kind === "single" ? shape.shape.fields : [];
  const usual = transport.params === "by-position" ? "by-position" : "by-name";
  const isObject = typeof payload === "object" && payload !== null && !Array.isArray(payload);
  if (!isObject) return payload;
  const isEmpty = Object.keys(payload).length === 0;
  if (style === "none" || (style === undefined && fields.length === 0 && isEmpty)) return undefined;
  if ((style ?? usual) === "by-name") return payload;
  const names = fields.map(({ name }) => name);
  const count = names.findLastIndex((name) => memberOf(payload, name) !== undefined) + 1;
  // What no field declares has a position after all of them.
  const strangers = Object.entries(payload).filter(([name]) => !names.includes(name));
  const values = names.slice(0, strangers.length > 0 ? undefined : count);
  return [...values.map((name) => memberOf(payload, name) ?? null), ...strangers.map(([, value]) => value)];
}

/** The last edits, on the text of the message. */
function finished(text: string, { body: edits = [] }: RequestPlan, { lookup }: BuildOptions): Buffer {
  const changed = edits.reduce((current, [found, given]) => {
    const replacement = String(resolveValue(given, lookup));
    if (found === "^") return replacement + current;
    return found === "$" ? current + replacement : current.replace(found, () => replacement);
  }, text);
  return bytesOf(changed);
}
