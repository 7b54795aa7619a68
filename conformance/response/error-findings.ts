import type { Expectation } from "../suite/case.ts";
import type { ErrorEntry, MethodEntry, Suite } from "../suite/suite.ts";
import { isJsonObject, memberOf } from "../values/index.ts";
import { finding, type Finding, formatValue, ofEvery, ruleOrigin, type ServiceSettings } from "./finding.ts";
import { namesCode, type ServiceResponse } from "./read-response.ts";

type ErrorExpectation = Extract<Expectation, { kind: "error" }>;

/** The findings on any error answer, whichever error it is. How errors look is about every answer, not about a case. */
export function errorShapeFindings(
  answer: ServiceResponse,
  method: MethodEntry | undefined,
  suite: Suite,
): readonly Finding[] {
  const { json, error, text } = answer;
  const findings: Finding[] = [];
  const origin = errorOrigin(suite);
  const add = adderTo(findings, { origin });
  const addOfEvery = adderTo(findings, { origin, ...ofEvery });
  if (programTrace.test(text)) add("leak", "no trace of the program or its database", text.slice(0, 200));
  if (!isJsonObject(json) || error === undefined) {
    addOfEvery("error-shape", "an object with error", text.slice(0, 200));
    return findings;
  }
  const extra = Object.keys(json).filter((name) => !["id", "error", "jsonrpc"].includes(name));
  if (extra.length > 0) addOfEvery("error-shape", "only id, error and jsonrpc", extra);
  if (memberOf(json, "jsonrpc") !== "2.0")
    addOfEvery("error-jsonrpc", 'jsonrpc "2.0" in an error', memberOf(json, "jsonrpc"));
  if (memberOf(json, "id") === undefined)
    addOfEvery("error-id", "an id, null where none could be read", undefined);
  const { data } = error;
  if (data !== undefined && !isJsonObject(data)) addOfEvery("error-shape", "data to be an object", data);
  const strangers = isJsonObject(data) ? Object.keys(data).filter((name) => !dataNames.has(name)) : [];
  if (strangers.length > 0) addOfEvery("error-shape", "only known members of data", strangers, "strict");
  const declared = suite.errors.find(({ code }) => code === error.code);
  if (declared === undefined) {
    addOfEvery("error-code", "a code that the interface declares", error.code);
    return findings;
  }
  if (!isGivenBy(declared, method, suite))
    add("error-code", `a code that ${method?.name ?? "every operation"} declares`, error.code);
  if (!isMessage(error.message, declared, method))
    addOfEvery(
      "error-message",
      messagesOf(declared, method).join(" or "),
      error.message,
      levelOfText(declared, suite),
    );
  return findings;
}

const dataNames: ReadonlySet<string> = new Set(
  "field reason requestId errors rpcCode column message atByte".split(" "),
);

/** Stacks, files and SQL: what is of use to an attacker alone. In JSON, a break of the line is written `\n`. */
export const programTrace =
  /(?:\n|\\n)(?:[\t ]|\\t)+at |node_modules|Error:|\bSELECT\b[^"]{1,200}\bFROM\b|\bINSERT INTO\b|\bUPDATE\b[^"]{1,200}\bSET\b|\bDELETE FROM\b|SQLITE_|constraint failed/;

/** The findings on an answer that had to be a certain error. */
export function errorFindings(
  expect: ErrorExpectation,
  answer: ServiceResponse,
  method: MethodEntry,
  suite: Suite,
  settings: ServiceSettings,
): readonly Finding[] {
  const { error, text, status } = answer;
  const findings: Finding[] = [];
  const add = adderTo(findings);
  const isDocumented = expect.documented === true;
  const given = codesOf(answer, suite);
  const isExpected = given.some((code) => expect.codes.includes(code));
  if (!isExpected && (isDocumented || given.length > 0)) {
    const found = error === undefined ? text.slice(0, 200) : `${String(error.code)} ${String(error.message)}`;
    const isNamed = expect.codes.some((code) => namesCode(answer, code));
    const level = isDocumented && !isNamed ? "document" : "decisions";
    add("error-code", `the code ${expect.codes.join(" or ")}`, found, level);
    return findings;
  }
  const entry = suite.errors.find(({ code }) => given.includes(code) && expect.codes.includes(code));
  if (entry === undefined) return findings;
  const usual = settings.httpStatus === "mapped" ? entry.httpStatus : 200;
  const statuses = [expect.status ?? usual].flat();
  if (!statuses.includes(status)) {
    const origin = ruleOrigin(suite, "error-status");
    const addStatus = adderTo(findings, expect.status === undefined ? { origin, ...ofEvery } : { origin });
    addStatus("status", `HTTP ${statuses.join(" or ")}`, `HTTP ${status}`);
  }
  for (const [name, value] of Object.entries(expect.headers ?? {})) {
    const found = answer.headers[name];
    if (found !== value) add("header", `${name}: ${value}`, found ?? "nothing");
  }
  if (isDocumented && !holdsMessage(answer, entry, method))
    add("error-text", `the text ${messagesOf(entry, method).join(" or ")}`, text.slice(0, 200), "document");
  if (error !== undefined) dataFindings(expect, answer, entry, method, suite, findings);
  return findings;
}

/** The declared codes that an answer gives; where its errors look otherwise, those that it names anywhere. */
export function codesOf(answer: ServiceResponse, { errors }: Suite): readonly string[] {
  const codes = errors.map(({ code }) => code);
  const own = codes.filter((code) => code === answer.error?.code);
  return own.length > 0 ? own : codes.filter((code) => namesCode(answer, code));
}

/** Adds findings, of level `decisions` if no other is given. */
function adderTo(findings: Finding[], more?: Pick<Finding, "origin" | "ofEveryAnswer">) {
  return (check: string, expected: string, found: unknown, level: Finding["level"] = "decisions"): void => {
    const text = typeof found === "string" ? found : formatValue(found);
    findings.push(finding(check, level, expected, text, more));
  };
}

/** The findings on `data`: where the member is not there, one. */
function dataFindings(
  expect: ErrorExpectation,
  { error }: ServiceResponse,
  entry: ErrorEntry,
  method: MethodEntry,
  suite: Suite,
  findings: Finding[],
): void {
  const add = adderTo(findings);
  const addOfEvery = adderTo(findings, { origin: errorOrigin(suite), ...ofEvery });
  const member = (name: string, isAsked: boolean): unknown => {
    const value = memberOf(error?.data, name);
    if (isAsked && value === undefined) addOfEvery("error-data", `data.${name}`, undefined, "strict");
    return value;
  };
  const field = member("field", expect.field !== undefined);
  if (expect.field !== undefined) {
    if (field !== undefined && field !== expect.field)
      add("error-field", `data.field ${expect.field}`, field);
    const name = expect.field.split("/").findLast((step) => !/^\d*$/.test(step)) ?? "";
    const messages = messagesOf(entry, method).map((template) => template.replace("{field}", name));
    if (isMessage(error?.message, entry, method) && !messages.some((message) => message === error?.message))
      add("error-message", messages.join(" or "), error?.message);
  }
  const reason = member("reason", expect.reason !== undefined);
  if (expect.reason !== undefined && reason !== undefined && reason !== expect.reason)
    add("error-reason", `data.reason ${expect.reason}`, reason);
  const number = member("rpcCode", true);
  // The rule's number counts; which other number goes with a code is not decided.
  const numbers = expect.rpcCode === undefined ? [entry.rpcCode, -32600, -32700] : [expect.rpcCode];
  if (number === undefined || numbers.some((each) => each === number)) return;
  const words = `data.rpcCode ${numbers.join(" or ")}`;
  if (expect.rpcCode === undefined) addOfEvery("rpc-code", words, number, "strict");
  else add("rpc-code", words, number);
}

/** From which level on the text of an error counts: one that no section shows is the spec's own wording. */
function levelOfText({ section }: ErrorEntry, { errors }: Suite): Finding["level"] {
  return section === undefined && errors.some((error) => error.section !== undefined)
    ? "strict"
    : "decisions";
}

function errorOrigin(suite: Suite): readonly string[] {
  return ruleOrigin(suite, "error-response");
}

function isGivenBy(
  { code, everyMethod }: ErrorEntry,
  method: MethodEntry | undefined,
  suite: Suite,
): boolean {
  if (everyMethod || method === undefined) return true;
  return (
    method.errors.some((error) => error.code === code) ||
    Object.values(suite.faults).includes(code) ||
    suite.auth.some(({ missing }) => missing === code)
  );
}

function messagesOf(entry: ErrorEntry, method: MethodEntry | undefined): readonly string[] {
  const own = method?.errors.find(({ code }) => code === entry.code)?.message;
  return own === undefined || own === entry.message ? [entry.message] : [own, entry.message];
}

/** Whether the documented text is in an answer: how errors look, the document does not say. */
function holdsMessage(answer: ServiceResponse, entry: ErrorEntry, method: MethodEntry): boolean {
  const parts = messagesOf(entry, method).map((template) => template.split("{field}"));
  return textsIn(answer.json ?? answer.text).some((text) =>
    parts.some((each) => each.every((part) => text.includes(part))),
  );
}

function textsIn(value: unknown): readonly string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

function isMessage(message: unknown, entry: ErrorEntry, method: MethodEntry | undefined): boolean {
  if (typeof message !== "string") return false;
  return messagesOf(entry, method).some((template) => {
    const [before = "", after] = template.split("{field}");
    if (after === undefined) return message === template;
    return (
      message.startsWith(before) && message.endsWith(after) && message.length > before.length + after.length
    );
  });
}
