import { omitUndefined } from "../base/omit-undefined.ts";
import type { Expectation } from "../suite/case.ts";
import type { ErrorEntry, MethodEntry, Suite } from "../suite/suite.ts";
import { isJsonObject, memberOf } from "../values/index.ts";
import { type Finding, formatValue, type ServiceSettings } from "./finding.ts";
import { namesCode, type ServiceResponse } from "./read-response.ts";
import { originOf } from "./result-findings.ts";

type ErrorExpectation = Extract<Expectation, { kind: "error" }>;

/** The findings on any error answer, whichever error it is. How errors look is about every answer, not about a case. */
export function errorShapeFindings(
  answer: ServiceResponse,
  method: MethodEntry | undefined,
  suite: Suite,
): readonly Finding[] {
  const { json, error } = answer;
  const findings: Finding[] = [];
  const add = adderTo(findings, errorOrigin(suite));
  const addOfEvery = adderTo(findings, errorOrigin(suite), true);
  if (programTrace.test(answer.text))
    add("leak", "no trace of the program or its database", answer.text.slice(0, 200));
  if (!isJsonObject(json) || error === undefined) {
    addOfEvery("error-shape", "an object with error", answer.text.slice(0, 200));
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
  const { error } = answer;
  const findings: Finding[] = [];
  const add = adderTo(findings);
  const given = codesOf(answer, suite);
  const isExpected = given.some((code) => expect.codes.includes(code));
  if (!isExpected && (expect.documented === true || given.length > 0)) {
    const found =
      error === undefined ? answer.text.slice(0, 200) : `${String(error.code)} ${String(error.message)}`;
    const isNamed = expect.codes.some((code) => namesCode(answer, code));
    add(
      "error-code",
      `the code ${expect.codes.join(" or ")}`,
      found,
      expect.documented === true && !isNamed ? "document" : "decisions",
    );
    return findings;
  }
  const entry = suite.errors.find(({ code }) => given.includes(code) && expect.codes.includes(code));
  if (entry === undefined) return findings;
  const statuses = statusesOf(expect, entry, settings);
  if (!statuses.includes(answer.status))
    adderTo(findings, statusOrigin(suite), expect.status === undefined)(
      "status",
      `HTTP ${statuses.join(" or ")}`,
      `HTTP ${answer.status}`,
    );
  for (const [name, value] of Object.entries(expect.headers ?? {})) {
    const found = answer.headers[name];
    if (found !== value) add("header", `${name}: ${value}`, found ?? "nothing");
  }
  if (expect.documented === true && !holdsMessage(answer, entry, method))
    add(
      "error-text",
      `the text ${messagesOf(entry, method).join(" or ")}`,
      answer.text.slice(0, 200),
      "document",
    );
  if (error !== undefined) dataFindings(expect, answer, entry, method, suite, findings);
  return findings;
}

/** The declared codes that an answer gives; where its errors look otherwise, those that it names anywhere. */
export function codesOf(answer: ServiceResponse, { errors }: Suite): readonly string[] {
  const codes = errors.map(({ code }) => code);
  const own = codes.filter((code) => code === answer.error?.code);
  return own.length > 0 ? own : codes.filter((code) => namesCode(answer, code));
}

type AddFinding = (check: string, expected: string, found: unknown, level?: Finding["level"]) => void;

/** `origin` where it is another than the case's. */
function adderTo(findings: Finding[], origin?: Finding["origin"], ofEveryAnswer = false): AddFinding {
  return (check, expected, found, level = "decisions") => {
    const text = typeof found === "string" ? found : formatValue(found);
    findings.push(
      omitUndefined({
        check,
        level,
        expected,
        found: text,
        origin,
        ofEveryAnswer: ofEveryAnswer ? ofEveryAnswer : undefined,
      }),
    );
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
  const member = (name: string, isAsked: boolean): unknown => {
    const value = memberOf(error?.data, name);
    if (isAsked && value === undefined)
      adderTo(findings, errorOrigin(suite), true)("error-data", `data.${name}`, undefined, "strict");
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
  rpcCodeFindings(member("rpcCode", true), expect, entry, suite, findings);
}

/** The findings on `data.rpcCode`. The rule's number counts; which other number goes with a code is not decided. */
function rpcCodeFindings(
  number: unknown,
  expect: ErrorExpectation,
  entry: ErrorEntry,
  suite: Suite,
  findings: Finding[],
): void {
  if (number === undefined) return;
  if (expect.rpcCode !== undefined) {
    if (number !== expect.rpcCode) adderTo(findings)("rpc-code", `data.rpcCode ${expect.rpcCode}`, number);
    return;
  }
  const numbers = [entry.rpcCode, -32600, -32700];
  if (!numbers.some((each) => each === number))
    adderTo(findings, errorOrigin(suite), true)(
      "rpc-code",
      `data.rpcCode ${numbers.join(" or ")}`,
      number,
      "strict",
    );
}

/** From which level on the text of an error counts: one that no section shows is the spec's own wording. */
function levelOfText({ section }: ErrorEntry, { errors }: Suite): Finding["level"] {
  return section === undefined && errors.some((error) => error.section !== undefined)
    ? "strict"
    : "decisions";
}

function statusesOf(
  expect: ErrorExpectation,
  entry: ErrorEntry | undefined,
  { httpStatus }: ServiceSettings,
): readonly number[] {
  if (expect.status !== undefined) return typeof expect.status === "number" ? [expect.status] : expect.status;
  return httpStatus === "mapped" && entry !== undefined ? [entry.httpStatus] : [200];
}

function errorOrigin({ rules }: Suite): readonly string[] {
  return rules["error-response"] === undefined ? [] : originOf(rules["error-response"]);
}

function statusOrigin({ rules }: Suite): readonly string[] {
  return rules["error-status"] === undefined ? [] : originOf(rules["error-status"]);
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
