import { protocolOf, protocolOfSuite, type SuiteProtocol } from "../protocols/index.ts";
import { isOnlyNotified } from "../request/json-rpc.ts";
import { dummyOf, MissingValue } from "../request/resolve-value.ts";
import { type Finding, finding } from "../response/finding.ts";
import {
  resultOf,
  saysUnknownMethod,
  type ServiceResponse,
  wordsOf,
  writtenName,
} from "../response/read-response.ts";
import { operatorMethod } from "../scenario/calls.ts";
import type { Environment } from "../scenario/environment.ts";
import { call, type Call, CallFailed, type RunContext } from "../session/context.ts";
import { inParallel } from "../session/order.ts";
import type { Exchange } from "../session/outcome.ts";
import type { RequestPlan } from "../suite/case.ts";
import type { MethodEntry, Suite } from "../suite/suite.ts";

/** The service cannot be reached at all. */
export class Unreachable extends Error {}

/** The result of the first few requests, before any case. */
export interface PreflightResult {
  /** Why trying anything more would only say the same again and again; undefined where it would not. */
  readonly abortReason?: { readonly title: string; readonly finding: Finding; readonly exchange: Exchange };
  /** The operations that the service does not have. */
  readonly missing: ReadonlyMap<string, MissingMethod>;
}

export interface MissingMethod {
  readonly reason: string;
  readonly exchange: Exchange;
}

interface Made extends Call {
  readonly method: MethodEntry;
}

const callsAtOnce = 32;

/** Sends one request to each operation, none of which changes anything. @throws Unreachable */
export async function preflight(context: RunContext): Promise<PreflightResult> {
  const { suite, baseUrl } = context;
  const failures: CallFailed[] = [];
  const contact = async (method: MethodEntry, plan: RequestPlan): Promise<Call | undefined> => {
    try {
      return await call(context, method, plan, { lookup: (name) => context.lookup(name) ?? dummyOf(name) });
    } catch (error) {
      // Without a credential that the access file does not have, a method is not called; its cases are skipped.
      if (error instanceof MissingValue) return undefined;
      if (!(error instanceof CallFailed)) throw error;
      failures.push(error);
      return undefined;
    }
  };
  const calls = new Map<string, Made>();
  const protocol = protocolOfSuite(suite);
  const [unknown] = await Promise.all([
    unknownAnswers(unknownIn(protocol), suite, contact),
    inParallel(suite.methods, callsAtOnce, async (method) => {
      const plan = protocol.harmless(method, context.request);
      const made = plan === undefined ? undefined : await contact(method, plan);
      if (made !== undefined) calls.set(method.name, { ...made, method });
    }),
  ]);
  const [failure] = failures;
  if (calls.size === 0 && unknown.size === 0 && failure !== undefined)
    throw new Unreachable(`${baseUrl}: ${failure.message}`, { cause: failure });
  const missing = missingMethods(suite, calls, unknown);
  const reads = new Map<string, Made>();
  await inParallel(
    suite.methods.filter((method) => isRead(method) && !missing.has(method.name)),
    callsAtOnce,
    async (method) => {
      const [base = "minimal"] = Object.keys(method.bases);
      const made = await contact(method, { base });
      if (made !== undefined) reads.set(method.name, { ...made, method });
    },
  );
  if ([...reads.values()].some(({ answer, method }) => resultOf(answer, method) !== undefined))
    return { missing };
  const answers = reads.size > 0 ? [...calls.values(), ...reads.values()] : unexpected(calls, context);
  const abortReason = alike(suite, answers) ?? refused(suite, [...reads.values()]);
  return abortReason === undefined ? { missing } : { abortReason, missing: new Map() };
}

/** Where nothing can be read: the answers that are not the error which the harmless request has to get. */
function unexpected(calls: ReadonlyMap<string, Made>, context: RunContext): readonly Made[] {
  const { suite } = context;
  const { badInput, invalidSignature } = suite.faults;
  const protocol = protocolOfSuite(suite);
  return [...calls.values()].filter(({ answer, method }) => {
    const isSignedWrongly = protocol.harmless(method, context.request)?.signature !== undefined;
    return !protocol.hasCode(answer, isSignedWrongly ? invalidSignature : badInput, suite);
  });
}

function isRead(method: MethodEntry): boolean {
  const { effect, transport } = method;
  return effect === "read" && transport.kind !== "flat" && !isOnlyNotified(method);
}

const noObject = { kind: "object", fields: [], atLeastOneOf: [], exactlyOneOf: [] } as const;

/** Operations that no interface has, one for each way to travel. */
function unknownIn(protocol: SuiteProtocol): readonly MethodEntry[] {
  return protocol.unknown.map((transport) => ({
    name: "NoService.NoOperation",
    decisions: [],
    effect: "read",
    transport,
    payload: { kind: "single", shape: noObject },
    result: noObject,
    errors: [],
    bases: {},
  }));
}

/** How answers say that an operation is unknown, by the way in which it travels; undefined if an answer does not. */
type UnknownAnswers = ReadonlyMap<MethodEntry["transport"]["kind"], string | undefined>;

/** The operations that nothing answers are left out. */
async function unknownAnswers(
  methods: readonly MethodEntry[],
  suite: Suite,
  contact: (method: MethodEntry, plan: RequestPlan) => Promise<Call | undefined>,
): Promise<UnknownAnswers> {
  const found = await Promise.all(
    methods.map(async (method) => {
      const made = await contact(method, { payload: {} });
      return made === undefined ? [] : [[method.transport.kind, unknownPart(suite, made, method)] as const];
    }),
  );
  return new Map(found.flat());
}

/** A service says so, or answers as for an unknown operation. */
function missingMethods(
  suite: Suite,
  calls: ReadonlyMap<string, Call>,
  unknown: UnknownAnswers,
): ReadonlyMap<string, MissingMethod> {
  const missing = new Map<string, MissingMethod>();
  for (const method of suite.methods) {
    const made = calls.get(method.name);
    if (made === undefined || resultOf(made.answer, method) !== undefined) continue;
    if (!isUnknown(made.answer, method, unknown.get(method.transport.kind))) continue;
    missing.set(method.name, { reason: `the service does not have ${method.name}`, exchange: made.exchange });
  }
  return missing;
}

/** The part of an answer that says the operation is unknown; undefined where it may be about the caller or the request. */
function unknownPart(suite: Suite, made: Call, method: MethodEntry): string | undefined {
  if (isAboutCaller(made.answer, suite)) return undefined;
  const isFlat = method.transport.kind === "flat";
  if (!isFlat && protocolOfSuite(suite).hasCode(made.answer, suite.faults["badInput"], suite))
    return undefined;
  return comparablePart(made.answer, method);
}

function isUnknown(answer: ServiceResponse, method: MethodEntry, unknown: string | undefined): boolean {
  return saysUnknownMethod(answer) || comparablePart(answer, method) === unknown;
}

/** Whether the answer may be about who calls rather than about the operation. */
function isAboutCaller(answer: ServiceResponse, suite: Suite): boolean {
  const { callerCodes, hasCode } = protocolOfSuite(suite);
  return answer.status === 401 || callerCodes(suite).some((code) => hasCode(answer, code, suite));
}

/** An answer without what differs from one request to the next. */
function comparablePart({ status, error, text, frame }: ServiceResponse, { name }: MethodEntry): string {
  const content =
    error === undefined
      ? text.replaceAll(new RegExp(`${writtenName(frame.id)}:\\s*"[^"]*"`, "g"), "")
      : JSON.stringify([error.code, error.message]);
  return `${status} ${content.replaceAll(name, "")}`;
}

type AbortReason = PreflightResult["abortReason"];

/** All answers are one and the same, whatever was asked. */
function alike(suite: Suite, calls: readonly Made[]): AbortReason {
  const [first] = calls;
  if (
    first === undefined ||
    new Set(calls.map(({ answer, method }) => comparablePart(answer, method))).size > 1
  )
    return undefined;
  const { status, headers, text } = first.answer;
  const answered = `HTTP ${status} with ${text === "" ? "an empty body" : wordsOf(text).slice(0, 200)}`;
  const words = rejectedCredential(suite, first.answer);
  return abortReasonOf(
    words === undefined ? "what answers is this interface" : "the caller is let in",
    words === undefined ? `answers of ${suite.title}, each operation its own` : words.expected,
    [
      words?.found ?? `the same answer to ${calls.length} different requests: ${answered}`,
      ...(headers.location === undefined ? [] : [`it redirects to ${headers.location}`]),
      ...(status === 404 ? [`the address is that of the service, without ${suite.path}`] : []),
    ].join("; "),
    first.exchange,
  );
}

/** Whatever is read, the service refuses who calls. */
function refused(suite: Suite, reads: readonly Call[]): AbortReason {
  const words = reads.map(({ answer }) => rejectedCredential(suite, answer));
  const [first] = reads;
  const [rejected] = words;
  if (first === undefined || rejected === undefined || words.includes(undefined)) return undefined;
  return abortReasonOf("the caller is let in", rejected.expected, rejected.found, first.exchange);
}

function abortReasonOf(title: string, expected: string, found: string, exchange: Exchange): AbortReason {
  return { title, finding: finding("contact", "document", expected, found), exchange };
}

/** The part of the access file that an answer refuses; `undefined` where it refuses no credential. */
function rejectedCredential(
  suite: Suite,
  answer: ServiceResponse,
): { expected: string; found: string } | undefined {
  const { status, text } = answer;
  const { unauthorized, unauthenticated, forbidden } = suite.faults;
  const protocol = protocolOfSuite(suite);
  const code = [...suite.auth.map(({ missing }) => missing), unauthorized, unauthenticated, forbidden].find(
    (each) => each !== undefined && protocol.hasCode(answer, each, suite),
  );
  if (code === undefined && status !== 401 && status !== 403) return undefined;
  const wrong = suite.auth
    .filter(({ missing }) => missing === code)
    .map(({ name }) => blamed.get(name) ?? name);
  const expected = "the caller of the access file to be let in";
  const answered = code ?? `HTTP ${status} with ${wordsOf(text).slice(0, 200)}`;
  const why =
    wrong.length === 0 ? protocol.refused : `look at ${[...new Set(wrong)].join(" and ")} of the access file`;
  return { expected, found: `every operation answers ${answered}: ${why}` };
}

/** Which member of the access file a member of the request is made of. */
const blamed: ReadonlyMap<string, string> = new Map([
  ["credential", "userName and apiKey"],
  ["apiKey", "userName and apiKey"],
  ["keyId", "keyId"],
  ["signature", "privateKeyPem and signatureEncoding"],
]);

/** Sees whether the operator of the access file is let in: cases that need one would otherwise fail one by one. @throws Unreachable */
export async function operatorPreflight({ context: { suite }, operator }: Environment): Promise<void> {
  const steps = suite.resources.flatMap(({ made }) => made?.steps ?? []);
  const name = steps.find((step) => step.kind === "operatorCall")?.method;
  if (operator === undefined || name === undefined) return;
  const { context, identity } = operator;
  const wrong = (why: string): Unreachable =>
    new Unreachable(
      `the operator's interface at ${context.baseUrl}: ${why}. Without operator in the access file, what needs one is skipped`,
    );
  try {
    const method = operatorMethod(name);
    const { answer } = await call(context, method, { payload: {} }, { identity });
    const rejected = rejectedCredential(suite, answer);
    if (rejected !== undefined) throw wrong(rejected.found.replace("of the access file", "of its operator"));
    const unknown = await unknownAnswers(unknownIn(protocolOf(method)), suite, (each, plan) =>
      call(context, each, plan, { identity }),
    );
    if (isUnknown(answer, method, unknown.get(method.transport.kind)))
      throw wrong(`it does not have ${name}`);
  } catch (error) {
    throw error instanceof CallFailed ? wrong(error.message) : error;
  }
}
