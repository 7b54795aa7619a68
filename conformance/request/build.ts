import { omitUndefined } from "../base/omit-undefined.ts";
import { provesKey } from "../suite/methods.ts";
import { canonicalText, edited, jsonText, memberOf } from "../values/index.ts";
import type { RequestPlan, SignaturePlan } from "../suite/case.ts";
import type { MessageSigner } from "./message-signature.ts";
import { bytesOf, resolveValue, type Lookup } from "./resolve-value.ts";
import { basicCredential, signedEnvelope, type Proof } from "./schemes/signed-envelope.ts";
import { signatureText } from "./sign.ts";
import type { BuildOptions, WireRequest } from "./wire-request.ts";

/** Makes a request of the signed envelope from its plan. @throws MissingValue for a missing sample */
export function buildSigned(plan: RequestPlan, options: BuildOptions): WireRequest {
  const { lookup, method } = options;
  const path = method.path ?? options.path;
  const { keyId, ...made }: MadeBody =
    plan.raw === undefined
      ? madeBody(plan, options)
      : { body: Buffer.from(plan.raw), headers: {}, keyId: options.identity.keyId };
  const always = { "content-type": "application/json", "x-interface-revision": options.revision };
  const headers = new Map<string, string>(Object.entries({ ...always, ...made.headers }));
  for (const [name, value] of Object.entries(plan.headers ?? {})) {
    if (value === null) headers.delete(name);
    else headers.set(name, String(resolveValue(value, lookup)));
  }
  const signer = messageSigner(plan, { ...made, keyId }, options);
  return {
    ...made,
    ...omitUndefined({ messageSigner: signer }),
    method,
    httpMethod: plan.httpMethod ?? "POST",
    path: plan.path === undefined ? path : String(resolveValue(plan.path, lookup)),
    headers: Object.fromEntries(headers),
  };
}

/** None where a case is about the headers of section 5.4 beside an envelope, or about their absence. */
function messageSigner(
  { headers = {}, signature: plan = {} }: RequestPlan,
  { keyId, signature = "", headers: { signature: sent }, signed }: MadeBody,
  { identity, method }: BuildOptions,
): MessageSigner | undefined {
  const isFlat = method.transport.kind === "flat";
  if (!provesKey(method.transport)) return undefined;
  if ("signature" in headers || (sent !== undefined && !isFlat)) return undefined;
  const signer = { keyId, privateKeyPem: identity.privateKeyPem };
  // That of a flat body is in place of the one that the case plans: it is wrong where that one would be.
  const right = signedEnvelope.headers({ credential: "", keyId, signature }).signature;
  const isRight = sent === right && isRightly(plan, signed);
  return isFlat ? { ...signer, isWrong: !isRight } : signer;
}

/** Whether the caller's key signed the body as it is sent (D-22). */
function isRightly(
  { over, change, hash = "sha256", key = "caller" }: SignaturePlan,
  signed: WireRequest["signed"],
): boolean {
  const isAsMade = over !== "earlier" && change === undefined && hash === "sha256" && key === "caller";
  return isAsMade && signed?.over.equals(signed.payloadBytes) === true;
}

interface MadeBody extends Pick<WireRequest, "body" | "headers" | "id" | "payload" | "signed" | "signature"> {
  /** The key that the request names. */
  readonly keyId: string;
}

/** Stands for the payload while the envelope is printed around it. */
const payloadMark = "\uE000payload\uE000";

function madeBody(plan: RequestPlan, options: BuildOptions): MadeBody {
  const { method, lookup, identity, id } = options;
  const from = plan.payload === undefined ? method.bases[plan.base ?? "minimal"] : plan.payload;
  const payload = resolveValue(edited(from, plan.edits), lookup);
  const text = jsonText(payload, plan.text ?? "canonical");
  const payloadBytes = Buffer.from(text);
  const isFlat = method.transport.kind === "flat";
  const auth = method.transport.kind === "enveloped" ? method.transport.auth : undefined;
  const credential = basicCredential(identity);
  const over = signedBytes(plan.signature, payload, payloadBytes, () =>
    Buffer.from(envelopeText(id, method.name, { credential, keyId: identity.keyId }, text)),
  );
  const proof = signedEnvelope.proof(identity, over, plan.signature, options.signature);
  const { apiKey, ...withKey } = proof;
  const { signature } = proof;
  // A method for callers without a key gets a signature only where the case is about one.
  const shown = provesKey(method.transport) || plan.signature !== undefined ? withKey : { credential };
  const sent = auth?.includes("apiKey") === true ? { ...shown, apiKey } : shown;
  const api = resolveValue(edited(sent, plan.api), lookup);
  const keyId = String(memberOf(api, "keyId"));
  const common = { payload, signed: { over, payloadBytes }, signature, keyId };
  if (isFlat) return { ...common, body: finished(text, plan, lookup), headers: flatHeaders(api) };
  const envelope = edited({ id, method: method.name, params: { api, payload: payloadMark } }, plan.envelope);
  const printed = JSON.stringify(resolveValue(envelope, lookup));
  const body = finished(
    printed.replace(JSON.stringify(payloadMark), () => text),
    plan,
    lookup,
  );
  const carried = idOf(resolveValue(envelope, lookup));
  return {
    ...common,
    body,
    headers: headerSignature(plan, proof, options),
    ...omitUndefined({ id: carried }),
  };
}

function envelopeText(id: string, method: string, api: object, payloadText: string): string {
  return `{"id":${JSON.stringify(id)},"method":${JSON.stringify(method)},"params":{"api":${JSON.stringify(api)},"payload":${payloadText}}}`;
}

function signedBytes(
  plan: SignaturePlan | undefined,
  payload: unknown,
  bytes: Buffer,
  envelope: () => Buffer,
): Buffer {
  const over = plan?.over ?? "bytes";
  switch (over) {
    case "bytes":
      return bytes;
    case "earlier":
    case "canonical":
      return Buffer.from(canonicalText(payload));
    case "printed":
      return Buffer.from(JSON.stringify(JSON.parse(bytes.toString())));
    case "other":
      return Buffer.from('{"other":"payload"}');
    case "envelope":
      return envelope();
    case "empty":
      return Buffer.alloc(0);
  }
}

function flatHeaders(api: unknown): Readonly<Record<string, string>> {
  const given = new Map<string, unknown>(Object.entries(api ?? {}));
  const text = (member: string): string => String(given.get(member));
  return signedEnvelope.headers({
    credential: text("credential"),
    keyId: text("keyId"),
    signature: text("signature"),
  });
}

function headerSignature(
  { headerSignature: kind }: RequestPlan,
  proof: Proof,
  { identity, lookup }: BuildOptions,
): Readonly<Record<string, string>> {
  if (kind === undefined) return {};
  const { headers } = signedEnvelope;
  switch (kind) {
    case "agrees":
      return headers(proof);
    case "differs":
      return headers({ ...proof, signature: signatureText(Buffer.from("{}"), identity) });
    case "other-key":
      return headers({ ...proof, keyId: String(lookup("unknown")) });
    case "credential-only":
      return { authorization: proof.credential };
    case "credential-differs": {
      const wrong = { userName: identity.userName, apiKey: String(lookup("wrongApiKey")) };
      return headers({ ...proof, credential: basicCredential(wrong) });
    }
  }
}

/** The last edits, on the text of the body. */
function finished(text: string, { body: edits = [] }: RequestPlan, lookup: Lookup): Buffer {
  const edited = edits.reduce((current, [found, given]) => {
    const length = filledTo(given);
    const replacement =
      length === undefined
        ? String(resolveValue(given, lookup))
        : " ".repeat(length - Buffer.byteLength(current));
    if (found === "^") return replacement + current;
    return found === "$" ? current + replacement : current.replace(found, () => replacement);
  }, text);
  return bytesOf(edited);
}

/** `{ $fill: n }`: as many blanks as it takes to make the body so many bytes. */
function filledTo(given: unknown): number | undefined {
  const [only] = Object.entries(typeof given === "object" && given !== null ? given : {});
  return only?.[0] === "$fill" ? Number(only[1]) : undefined;
}

function idOf(envelope: unknown): string | undefined {
  const id: unknown = Object.entries(envelope ?? {}).find(([name]) => name === "id")?.[1];
  return typeof id === "string" ? id : undefined;
}
