import { omitUndefined } from "../base/omit-undefined.ts";
import { protocolOf } from "../protocols/index.ts";
import type { Access, Identity } from "../request/access.ts";
import type { MessageCarrier } from "../request/carrier.ts";
import { curlOf } from "../request/curl.ts";
import type { Lookup } from "../request/resolve-value.ts";
import { NoAnswer, type Transport } from "../request/transport.ts";
import { drawId, type JsonRpcBuild, type WireRequest } from "../request/wire-request.ts";
import type { Finding, ServiceSettings } from "../response/finding.ts";
import { readResponse, type ServiceResponse } from "../response/read-response.ts";
import { unknownIdentifiers } from "../samples/index.ts";
import type { Expectation, RequestPlan } from "../suite/case.ts";
import type { Level } from "../suite/level.ts";
import { payloadShapes, shapeResolver } from "../suite/methods.ts";
import type { MethodEntry, Suite } from "../suite/suite.ts";
import type { Reading } from "../values/index.ts";
import type { Claims } from "./capabilities.ts";
import { randomFrom } from "./order.ts";
import type { Exchange } from "./outcome.ts";
import {
  createEveryResponse,
  createMadeObjects,
  createSeenResults,
  type EveryResponse,
  type MadeObjects,
  type ResponsePlace,
  type SeenResults,
} from "./seen.ts";

export interface ContextOptions {
  readonly suite: Suite;
  readonly access: Access;
  readonly baseUrl: string;
  readonly level: Level;
  readonly settings: ServiceSettings;
  readonly transport: Transport;
  /** Differs from run to run: ids and texts made from it are new to the service. */
  readonly nonce: string;
  /** The operation by which the endpoint as a whole is tried. */
  readonly probe: MethodEntry;
  /** The capabilities that the implementation claims. */
  readonly claims: Claims;
  /** Where events may be sent to. */
  readonly callbackUrl?: string;
  /** Further needs of requests of a standard interface. */
  readonly rpc?: JsonRpcBuild;
  /** How messages travel, where not over HTTP. */
  readonly carrier?: MessageCarrier;
}

/** The context that all cases of a run share. */
export interface RunContext extends ContextOptions {
  readonly request: Reading;
  readonly response: Reading;
  readonly everyResponse: EveryResponse;
  readonly seenResults: SeenResults;
  readonly made: MadeObjects;
  newId(method: MethodEntry): string;
  methodOf(name: string): MethodEntry;
  /** Samples and what else every run knows. */
  readonly lookup: Lookup;
}

export function createContext(options: ContextOptions): RunContext {
  const { suite, access, nonce, probe } = options;
  const methods = new Map(suite.methods.map((method) => [method.name, method]));
  const resolve = shapeResolver(suite);
  const unknown = `no-such-${nonce}`;
  const request: Reading = { direction: "request", resolve };
  const random = randomFrom(Number.parseInt(nonce.slice(0, 8), 36));
  const payloads = suite.methods.flatMap(({ payload }) => payloadShapes(payload));
  const unknownOnes = unknownIdentifiers(payloads, random, request, {
    plain: unknown,
    taken: Object.values(access.samples ?? {}),
  });
  const values = new Map<string, unknown>([
    ...Object.entries(access.samples ?? {}),
    ["userName", access.userName],
    ["apiKey", access.apiKey],
    ["keyId", access.keyId],
    ["wrongApiKey", access.apiKey.replace(/.$/u, (last) => (last === "0" ? "1" : "0"))],
    ["otherCaseUserName", inOtherCase(access.userName)],
    ["otherCaseApiKey", inOtherCase(access.apiKey)],
    ["otherCaseKeyId", inOtherCase(access.keyId)],
    ["unknown", unknown],
    ...unknownOnes.entries().map(([sample, value]) => [`unknown.${sample}`, value] as const),
    ["path", probe.path ?? suite.path],
    ["nonce", nonce],
    ["revision", suite.revision],
    // A sample stays where the access file names no such caller.
    ...Object.entries(
      omitUndefined({
        callerUserName: access.caller?.identity.userName,
        callerKeyId: access.caller?.identity.keyId,
        operatorUserName: access.operator?.userName,
        operatorApiKey: access.operator?.apiKey,
        operatorKeyId: access.operator?.keyId,
        callbackUrl: options.callbackUrl,
      }),
    ),
  ]);
  let ids = 0;
  return {
    ...options,
    everyResponse: createEveryResponse(),
    seenResults: createSeenResults(),
    made: createMadeObjects(new Set(suite.resources.flatMap(({ removed = {} }) => Object.keys(removed)))),
    request,
    response: { direction: "response", resolve },
    newId({ transport }) {
      const own = transport.kind === "enveloped" ? transport.requestId : undefined;
      const rule = own ?? suite.requestId;
      if (rule !== undefined) return drawId(rule);
      ids += 1;
      return `${nonce}-${ids}`;
    },
    methodOf: (name) => methods.get(name) ?? probe,
    lookup: (name) => values.get(name),
  };
}

/** Small letters for capitals and the other way round; undefined where there are none. */
function inOtherCase(text: string): string | undefined {
  const changed = Array.from(text, (each) =>
    each === each.toLowerCase() ? each.toUpperCase() : each.toLowerCase(),
  ).join("");
  return changed === text ? undefined : changed;
}

/** The findings on an answer that a case fails by: not those on every answer, nor those on capabilities that are not claimed. */
export function findingsOn(
  { suite, settings, response: reading, claims, everyResponse }: RunContext,
  expect: Expectation,
  method: MethodEntry,
  { wire, answer, exchange }: Call,
  place: ResponsePlace,
): readonly Finding[] {
  const checking = { suite, settings, reading };
  const found = protocolOf(method).check(expect, method, wire, answer, checking);
  const claimed = found.filter(({ origin = [] }) => claims.lacking({ decisions: origin }) === undefined);
  return everyResponse.without(claimed, place, exchange);
}

/** One exchange: what was sent, what came back, and how a report shows both. */
export interface Call {
  readonly wire: WireRequest;
  readonly answer: ServiceResponse;
  readonly exchange: Exchange;
}

/** No answer to a request; `exchange` shows it. */
export class CallFailed extends Error {
  readonly exchange: Exchange;

  constructor(cause: NoAnswer, exchange: Exchange) {
    super(cause.message, { cause });
    this.exchange = exchange;
  }
}

/** What a request has beside its plan; absent: of the run. */
export interface CallOptions {
  readonly lookup?: Lookup;
  readonly identity?: Identity;
  readonly id?: string;
  /** In place of one that is made. */
  readonly signature?: string;
}

/** Builds a request of a method from its plan. @throws MissingValue */
export function built(
  { suite, access, lookup, rpc, newId }: RunContext,
  method: MethodEntry,
  plan: RequestPlan,
  options: CallOptions = {},
): WireRequest {
  const { path, revision } = suite;
  const id = options.id ?? newId(method);
  const usual = { path, revision, identity: access, lookup, method, rpc, ...options, id };
  return protocolOf(method).build(plan, omitUndefined(usual));
}

/** Builds a request, sends it and reads what comes back. @throws CallFailed, MissingValue */
export async function call(
  context: RunContext,
  method: MethodEntry,
  plan: RequestPlan,
  options: CallOptions = {},
): Promise<Call> {
  const wire = built(context, method, plan, options);
  return await send(context, wire, options.identity ?? context.access);
}

export async function send(
  { transport, baseUrl, suite, made }: Pick<RunContext, "transport" | "baseUrl" | "suite" | "made">,
  wire: WireRequest,
  identity: Identity,
): Promise<Call> {
  const curl = curlOf(baseUrl, wire, identity);
  try {
    const answer = readResponse(await transport.send(wire), suite.errors, suite.wire?.frame);
    made.note(wire.method, answer);
    return { wire, answer, exchange: { curl, answer: `HTTP ${answer.status}\n${shownText(answer.text)}` } };
  } catch (error) {
    if (!(error instanceof NoAnswer)) throw error;
    throw new CallFailed(error, { curl, answer: error.message });
  }
}

const shownMax = 20_000;
const textMember = /("[^"]*"\s*:\s*)"[^"]*"/g;
const secretName = /api_?key|secret|password|private_?key/i;

/** An answer as a report shows it: secrets that a service issues are left out. */
function shownText(text: string): string {
  const open = text.replaceAll(textMember, (member, name: string) =>
    secretName.test(name) ? `${name}"…"` : member,
  );
  return open.length <= shownMax ? open : `${open.slice(0, shownMax)}… (${open.length} characters)`;
}
