import type { Frame } from "../base/frame.ts";
import type { WireRequest } from "../request/wire-request.ts";
import type { Expectation } from "../suite/case.ts";
import type { BatchAnswer } from "../suite/json-rpc.ts";
import type { ErrorEntry, MethodEntry, Suite } from "../suite/suite.ts";
import { isJsonObject, memberOf, parsedJson, problemsOf } from "../values/index.ts";
import { bodyFindings, mediaTypeFindings } from "./body-findings.ts";
import { programTrace } from "./error-findings.ts";
import { type CheckContext, finding, type Finding, formatValue, ofEvery, startOf } from "./finding.ts";
import { type ServiceResponse, writtenName } from "./read-response.ts";
import { matchFindings, resultFindings } from "./result-findings.ts";

/** Everything that is wrong with the answer to a message of a standard interface, of whatever level. */
export function checkJsonRpc(
  expect: Expectation,
  method: MethodEntry,
  request: WireRequest,
  answer: ServiceResponse,
  checking: CheckContext,
): readonly Finding[] {
  if (expect.kind === "silent") return silenceFindings(answer, checking);
  const context: AnswerContext = { ...checking, method, answer };
  const findings = [...bodyFindings(answer, "document"), ...mediaTypeFindings(answer, mediaTypes)];
  if (expect.kind === "batch") return [...findings, ...batchFindings(expect.answers, context)];
  const { json } = answer;
  if (isJsonObject(json))
    return [
      ...findings,
      ...answerFindings(expect, json, sentId(request, answer.frame), context),
      ...statusFindings(expect, json, context),
      ...idTextFindings(expect, answer),
    ];
  const found = Array.isArray(json) ? "a list of them" : startOf(answer);
  const expected = "one response object (JSON-RPC 2.0, section 5)";
  return [...findings, finding("response-object", "document", expected, found)];
}

/** The media types of JSON-RPC over HTTP. */
const mediaTypes = ["application/json", "application/json-rpc", "application/jsonrequest"];

/** A notification is never answered (section 4.1): no body, and the status that the interface names. */
function silenceFindings(answer: ServiceResponse, { suite }: CheckContext): readonly Finding[] {
  const { body, text, status, isMessage } = answer;
  const findings: Finding[] = [];
  const silence = "no answer: a notification has none (JSON-RPC 2.0, section 4.1)";
  if (body.length > 0) findings.push(finding("notification", "document", silence, text.slice(0, 200)));
  const usual = suite.wire?.notified ?? 204;
  if (isMessage !== true && status !== usual)
    findings.push(finding("status", "decisions", `HTTP ${usual}`, `HTTP ${status}`));
  return findings;
}

/** The id that a message carries: `undefined` where it has none, null where none can be read. */
function sentId({ body }: WireRequest, frame: Frame): unknown {
  const message = parsedJson(body.toString("utf8"));
  if (!isJsonObject(message)) return null;
  const id = memberOf(message, frame.id);
  return typeof id === "boolean" || (typeof id === "object" && id !== null) ? null : id;
}

function statusFindings(
  expect: Expectation,
  json: object,
  { answer, suite, method }: AnswerContext,
): readonly Finding[] {
  if (answer.isMessage === true) return [];
  const code = codeOf(memberOf(json, answer.frame.error));
  const entries = suite.errors.filter(({ rpcCode }) => rpcCode === code);
  const own = entries.filter((entry) => isGivenBy(entry, method));
  const mapped = (own.length > 0 ? own : entries).map(({ httpStatus }) => httpStatus);
  const usual = code === undefined || suite.wire?.status !== "mapped" ? [200] : mapped;
  const stated = expect.kind === "error" ? expect.status : undefined;
  const statuses = stated === undefined ? usual : [stated].flat();
  if (statuses.length === 0 || statuses.includes(answer.status)) return [];
  const words = `HTTP ${[...new Set(statuses)].join(" or ")}`;
  return [finding("status", "decisions", words, `HTTP ${answer.status}`)];
}

/** Whether an id came back in the same bytes: a number may say more than its value. */
function idTextFindings(expect: Expectation, { text, frame }: ServiceResponse): readonly Finding[] {
  const idText = expect.kind === "result" || expect.kind === "error" ? expect.idText : undefined;
  if (idText === undefined) return [];
  // A result may have an id of its own, before or after.
  const name = writtenName(frame.id);
  const sent = new RegExp(String.raw`${name}\s*:\s*("(?:[^"\\]|\\.)*"|[^\s,}]*)`, "g");
  const found = [...text.matchAll(sent)].map(([, id]) => id);
  if (found.includes(idText)) return [];
  return [finding("id", "decisions", `${frame.id} ${idText}, byte for byte`, found.join(", "))];
}

interface AnswerContext extends CheckContext {
  readonly method: MethodEntry;
  readonly answer: ServiceResponse;
}

/** The findings on one response object (section 5), alone or in a batch. */
function answerFindings(
  expect: Expectation,
  json: object,
  id: unknown,
  context: AnswerContext,
): readonly Finding[] {
  const { suite, method, reading } = context;
  const { frame } = context.answer;
  const error = memberOf(json, frame.error);
  const result = memberOf(json, frame.result);
  const findings = [...shapeFindings(json, frame), ...idFindings(expect, json, id, frame)];
  if (error !== undefined) findings.push(...errorShape(error, expect, context));
  else findings.push(...resultFindings(method.result, result, reading));
  const unexpected = finding("result", "document", "a result", formatValue(error));
  switch (expect.kind) {
    case "result":
      if (error !== undefined) findings.unshift(unexpected);
      else if (expect.match !== undefined) findings.push(...matchFindings(expect.match, result));
      break;
    case "error":
      findings.push(...codeFindings(expect.codes, error, result, suite));
      break;
    case "taken":
      if (codesOf(expect.notCodes, suite).includes(codeOf(error))) findings.unshift(unexpected);
      break;
    default:
      if (codeOf(error) === internalError) findings.unshift(unexpected);
  }
  return findings;
}

const internalError = -32603;

function shapeFindings(json: object, { version, id, result, error }: Frame): readonly Finding[] {
  const findings: Finding[] = [];
  const add = (check: string, level: Finding["level"], expected: string, found: string, more = {}): void => {
    findings.push(finding(check, level, expected, found, more));
  };
  const found = version === undefined ? undefined : memberOf(json, version.member);
  if (version !== undefined && found !== version.value) {
    const words = `${version.member} ${JSON.stringify(version.value)} (JSON-RPC 2.0, section 5)`;
    add(version.member, "document", words, formatValue(found), ofEvery);
  }
  const both = [result, error].filter((name) => memberOf(json, name) !== undefined);
  const either = `either ${result} or ${error} (JSON-RPC 2.0, section 5)`;
  if (both.length !== 1) add("response-object", "document", either, both.length === 0 ? "neither" : "both");
  const members = version === undefined ? [id] : [version.member, id];
  const extra = Object.keys(json).filter((name) => ![...members, result, error].includes(name));
  const only = `only ${members.join(", ")}, and ${result} or ${error}`;
  if (extra.length > 0) add("response-object", "strict", only, extra.join(", "), ofEvery);
  return findings;
}

/** The id of the request, of the same type; null where none could be read. */
function idFindings(
  expect: Expectation,
  json: object,
  sent: unknown,
  { id: name }: Frame,
): readonly Finding[] {
  const found = memberOf(json, name);
  const asked = expect.kind === "error" ? expect.id : undefined;
  const allowed = asked === null ? [null] : asked === "any" ? [null, sent ?? null] : [sent ?? null];
  if (allowed.some((id) => id === found)) return [];
  const words = [...new Set(allowed.map(formatValue))].join(" or ");
  return [finding("id", "document", `${name} ${words} (JSON-RPC 2.0, section 5)`, formatValue(found))];
}

/** Code, message and data (section 5.1), against the errors that the method declares. */
function errorShape(error: unknown, expect: Expectation, context: AnswerContext): readonly Finding[] {
  const { suite, method, answer } = context;
  const findings: Finding[] = [];
  const add = (check: string, level: Finding["level"], expected: string, found: unknown): void => {
    findings.push(finding(check, level, expected, formatValue(found)));
  };
  if (!isJsonObject(error)) {
    add("error-shape", "document", "error to be an object (JSON-RPC 2.0, section 5.1)", error);
    return findings;
  }
  const code = codeOf(error);
  const message = memberOf(error, "message");
  if (!Number.isInteger(code)) add("error-shape", "document", "code to be an integer", code);
  if (typeof message !== "string") add("error-shape", "document", "message to be a string", message);
  const extra = Object.keys(error).filter((name) => !["code", "message", "data"].includes(name));
  if (extra.length > 0) add("error-shape", "strict", "only code, message and data", extra);
  if (programTrace.test(answer.text))
    add("leak", "decisions", "no trace of the program or its database", answer.text.slice(0, 200));
  const asked = expect.kind === "error" ? expect.codes : [];
  const ofCode = suite.errors.filter(({ rpcCode }) => rpcCode === code);
  // Several errors may share a code: take the one that was asked for.
  const named = ofCode.filter((entry) => asked.includes(entry.code));
  const entries = named.length > 0 ? named : ofCode.filter((entry) => isGivenBy(entry, method));
  if (entries.length === 0) {
    add("error-code", "decisions", `a code that ${method.name} declares`, code);
    return findings;
  }
  if (!entries.some((entry) => isMessage(message, entry)))
    add("error-message", "strict", entries.map((entry) => entry.message).join(" or "), message);
  return [...findings, ...dataFindings(memberOf(error, "data"), entries, context)];
}

/** The `data` of a declared error fits its shape. Names that share a code each have their own. */
function dataFindings(
  data: unknown,
  entries: readonly ErrorEntry[],
  { reading }: AnswerContext,
): readonly Finding[] {
  const found = entries.map(({ data: shape }) =>
    shape === undefined ? [] : problemsOf(shape, data, reading),
  );
  if (found.some((problems) => problems.length === 0)) return [];
  return (found[0] ?? []).map(({ at, expected, found: value }) => {
    const where = at === "" ? "data" : `data${at}`;
    return finding("error-data", "document", `${where} to be ${expected}`, formatValue(value));
  });
}

/** Whether a method may answer with an error. */
function isGivenBy({ code, everyMethod }: ErrorEntry, { errors }: MethodEntry): boolean {
  return everyMethod || errors.some((error) => error.code === code);
}

function isMessage(message: unknown, entry: ErrorEntry): boolean {
  const [before = "", ...rest] = entry.message.split(/\{[^{}]*\}/);
  if (typeof message !== "string" || !message.startsWith(before)) return false;
  return rest.length === 0 ? message === before : message.endsWith(rest.at(-1) ?? "");
}

/** Whether the answer is an error with the code of one of these names. */
function codeFindings(
  names: readonly string[],
  error: unknown,
  result: unknown,
  suite: Suite,
): readonly Finding[] {
  const codes = codesOf(names, suite);
  const words = `the error ${names.map((name, index) => `${codes[index] ?? "?"} ${name}`).join(" or ")}`;
  if (error === undefined) return [finding("refusal", "document", words, formatValue(result))];
  if (codes.includes(codeOf(error))) return [];
  return [finding("error-code", "document", words, formatValue(error))];
}

function codesOf(names: readonly string[], { errors }: Suite): readonly unknown[] {
  return names.map((name) => errors.find(({ code }) => code === name)?.rpcCode);
}

function codeOf(error: unknown): unknown {
  return memberOf(error, "code");
}

/**
 * The faults of the answer to a batch (section 6): one response object for each call that is no notification. The
 * standard lets them come in any order; that of the calls is a decision.
 */
function batchFindings(expected: readonly BatchAnswer[], context: AnswerContext): readonly Finding[] {
  const { json, status, frame } = context.answer;
  if (!Array.isArray(json))
    return [
      finding("batch", "document", "a list of answers (JSON-RPC 2.0, section 6)", startOf(context.answer)),
    ];
  const answers: readonly unknown[] = json;
  const findings: Finding[] = [];
  if (answers.length !== expected.length) {
    const words = `${expected.length} answers, one for each call that is no notification`;
    findings.push(finding("batch", "document", words, `${answers.length} answers: ${formatValue(answers)}`));
  }
  if (status !== 200)
    findings.push(
      finding("status", "decisions", "HTTP 200: a batch has no status of its own", `HTTP ${status}`),
    );
  const ids = answers.map((answer) => memberOf(answer, frame.id));
  const wanted = expected.map(({ id }) => id);
  if (isSameSet(ids, wanted) && wanted.some((id, index) => id !== ids[index])) {
    const words = `answers in the order of the calls: ${formatValue(wanted)}`;
    findings.push(finding("batch-order", "decisions", words, formatValue(ids)));
  }
  const left = [...answers];
  for (const each of expected) {
    const at = left.findIndex(
      (answer) => memberOf(answer, frame.id) === each.id && isMeant(each, answer, frame),
    );
    const same = at >= 0 ? at : left.findIndex((answer) => memberOf(answer, frame.id) === each.id);
    const [answer] = same >= 0 ? left.splice(same, 1) : [];
    findings.push(...itemFindings(each, answer, context));
  }
  return findings;
}

/** Where several answers have no id, errors are counted apart from results. */
function isMeant({ codes }: BatchAnswer, answer: unknown, frame: Frame): boolean {
  return (codes === undefined) === (memberOf(answer, frame.error) === undefined);
}

function itemFindings(
  { id, method: name, codes }: BatchAnswer,
  answer: unknown,
  context: AnswerContext,
): readonly Finding[] {
  if (!isJsonObject(answer)) {
    const found = answer === undefined ? "none" : formatValue(answer);
    return [
      finding("batch", "document", `an answer with the ${context.answer.frame.id} ${formatValue(id)}`, found),
    ];
  }
  const method = context.suite.methods.find((each) => each.name === name) ?? context.method;
  const expect = codes === undefined ? ({ kind: "result" } as const) : ({ kind: "error", codes } as const);
  return answerFindings(expect, answer, id, { ...context, method }).map((found) => ({
    ...found,
    expected: `of the call with the ${context.answer.frame.id} ${formatValue(id)}: ${found.expected}`,
  }));
}

function isSameSet(a: readonly unknown[], b: readonly unknown[]): boolean {
  return a.length === b.length && a.every((each) => b.includes(each)) && b.every((each) => a.includes(each));
}
