import { protocolOf } from "../protocols/index.ts";
import type { Identity } from "../request/access.ts";
import type { MessageCarrier } from "../request/carrier.ts";
import { cannotCarry } from "../request/message-transport.ts";
import { dummyOf, type Lookup, MissingValue } from "../request/resolve-value.ts";
import type { WireRequest } from "../request/wire-request.ts";
import { resultOf, type ServiceResponse } from "../response/read-response.ts";
import type { Environment } from "../scenario/environment.ts";
import { note, touchedBy } from "../scenario/keeping.ts";
import { askingForNoChange, restoreState } from "../scenario/objects.ts";
import { lacksText, requiredLacking } from "../session/capabilities.ts";
import { built, call, CallFailed, findingsOn, type RunContext, send } from "../session/context.ts";
import type { KeyedLock } from "../session/order.ts";
import { missingReason, noAnswer, skipped, verdict, type Verdict } from "../session/outcome.ts";
import type { Case, Expectation } from "../suite/case.ts";
import { plannedPayload } from "../suite/methods.ts";
import type { MethodEntry, Suite } from "../suite/suite.ts";
import { createFixtures, createSharedFixtures, sharedResources } from "./fixtures.ts";

/** Sends the request of a case and checks the answer. */
export async function runCase(planned: Case, environment: Environment, lock: KeyedLock): Promise<Verdict> {
  const { context } = environment;
  const method = context.methodOf(planned.method);
  const each = isLookedUp(planned, context.suite)
    ? planned
    : askingForNoChange(planned, method, context.suite);
  const payload = plannedPayload(each.request, method);
  const lacking = each.expect.kind === "error" ? undefined : requiredLacking(payload, method, context.claims);
  if (lacking !== undefined) return skipped(lacksText(lacking));
  const needsObjects = isLookedUp(each, context.suite) && each.request.raw === undefined;
  const changes = needsObjects && method.effect !== "read";
  const shared = changes ? sharedResources(method, payload, environment) : [];
  return await lock.run(shared, () =>
    guarded(context.suite, async () => {
      if (changes) await noteTouched(method, payload, environment);
      const own = changes ? await createFixtures(method, payload, environment, lock) : undefined;
      const outer = own?.lookup ?? context.lookup;
      const lookup = needsObjects ? await createSharedFixtures(payload, environment, outer) : outer;
      const identity = callerOf(context, lookup);
      const result = await attempt(each, method, environment, identity, withDummies(each, context, lookup));
      const isReusable = result.status === "passed" && method.effect === "set";
      const hasChanged = each.expect.kind !== "error" && isReusable;
      const isRestored =
        (shared.length > 0 || hasChanged) && (await restoreState(method, context, identity, lookup));
      if (isReusable && (isRestored || !hasChanged)) own?.giveBack();
      return result;
    }),
  );
}

/** Notes the access file's objects that a case changes or needs. The end of the run puts them back. */
async function noteTouched(method: MethodEntry, payload: unknown, environment: Environment): Promise<void> {
  const { changed, needed } = touchedBy(method, payload, environment);
  const shared = new Set(sharedResources(method, payload, environment));
  await note(
    [...changed, ...needed].filter(({ name }) => shared.has(name)),
    environment,
  );
}

/** A case that cannot be made, and one without an answer, have verdicts too. */
async function guarded(suite: Suite, work: () => Promise<Verdict>): Promise<Verdict> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof MissingValue) return skipped(missingReason(error, suite));
    if (!(error instanceof CallFailed)) throw error;
    return noAnswer(error);
  }
}

async function attempt(
  each: Case,
  method: MethodEntry,
  { context, unused }: Environment,
  identity: Identity,
  lookup: Lookup,
): Promise<Verdict> {
  const { suite, access } = context;
  if (access.messageSignatures === true && isAboutHeaderSignatures(each))
    return skipped("the Signature header has that of the message");
  const own = { identity, lookup };
  const earlier = await earlierSignature(each, method, own, context);
  const wire = built(context, method, each.request, { ...own, ...earlier });
  const uncarried = context.carrier && uncarriedReason(each, wire, context.carrier);
  if (uncarried !== undefined) return skipped(uncarried);
  const fault = protocolOf(method).fault(each, method, wire, suite, context.request);
  if (fault !== undefined) return { status: "broken", reason: fault, ...nothingSent };
  const isReplayed = each.request.credentials?.some(({ change }) => change === "replayed") === true;
  if (isReplayed) await send(context, wire, identity);
  const made = await send(context, wire, identity);
  const { answer, exchange } = made;
  const expect = isEmptyPage(answer, method, suite) ? afterEmptyPage(each.expect) : each.expect;
  const given = verdict(findingsOn(context, expect, method, made, each), context.level, [exchange]);
  const result = resultOf(answer, method);
  context.seenResults.record(method, each.expect, answer, result);
  const isNew = method.effect === "create" && each.expect.kind === "result" && result !== undefined;
  if (given.status === "passed" && isNew && !isReplayed) unused.add(method, { wire, result });
  return given;
}

/** Whether an answer is the error that a list gives where a page has no items. */
function isEmptyPage({ error }: ServiceResponse, { paging }: MethodEntry, { errors }: Suite): boolean {
  const empty = paging?.empty === undefined ? undefined : errors.find(({ code }) => code === paging.empty);
  return empty !== undefined && (error?.code === empty.code || error?.code === empty.rpcCode);
}

/** Whether a list has items differs from service to service. */
function afterEmptyPage(expect: Expectation): Expectation {
  return expect.kind === "result" && expect.match === undefined ? { kind: "taken", notCodes: [] } : expect;
}

const nothingSent = { findings: [], exchanges: [] } as const;

/** Whether a case is about the signature of section 5.4 in the header that a message signature takes, too. */
function isAboutHeaderSignatures({ request: { headerSignature = "credential-only" } }: Case): boolean {
  return headerSignature !== "credential-only";
}

/** Why a case is not tried where messages travel without HTTP. */
function uncarriedReason(
  { request, expect }: Case,
  wire: WireRequest,
  carrier: MessageCarrier,
): string | undefined {
  const isOfHttp =
    request.httpMethod !== undefined ||
    request.path !== undefined ||
    request.headers !== undefined ||
    (expect.kind === "error" && expect.status !== undefined);
  if (isOfHttp) return "it is about HTTP";
  if (request.credentials !== undefined)
    return "credentials are tried over HTTP: here a whole connection has them";
  return cannotCarry(carrier, wire);
}

/** A signature that the service has verified, where the case sends one again. */
async function earlierSignature(
  { request: { edits: _edits, signature: plan, ...request } }: Case,
  method: MethodEntry,
  own: { readonly identity: Identity; readonly lookup: Lookup },
  context: RunContext,
): Promise<{ readonly signature?: string }> {
  if (plan?.over !== "earlier") return {};
  const { wire } = await call(context, method, request, own);
  return wire.signature === undefined ? {} : { signature: wire.signature };
}

/** The caller of the run; or the one who was made together with what the request is about. */
function callerOf({ access }: RunContext, lookup: Lookup): Identity {
  const privateKeyPem = lookup("privateKeyPem");
  if (typeof privateKeyPem !== "string") return access;
  const [userName, apiKey, keyId] = ["userName", "apiKey", "keyId"].map((name) => String(lookup(name)));
  return { userName: userName ?? "", apiKey: apiKey ?? "", keyId: keyId ?? "", privateKeyPem };
}

/** Whether a request gets so far that what it names is looked up. */
function isLookedUp({ expect }: Pick<Case, "expect">, suite: Suite): boolean {
  return expect.kind !== "error" || !expect.codes.every((code) => isEarly(code, suite));
}

/** Where a request is refused before the service looks up what it names, any name will do. */
function withDummies({ expect }: Case, { suite }: RunContext, lookup: Lookup): Lookup {
  if (isLookedUp({ expect }, suite)) return lookup;
  return (name) => lookup(name) ?? lookup(`unknown.${name}`) ?? dummyOf(name);
}

function isEarly(code: string, { faults, auth }: Suite): boolean {
  return (
    code === faults["badInput"] ||
    code === faults["unauthenticated"] ||
    code === faults["unauthorized"] ||
    auth.some(({ missing }) => missing === code)
  );
}
