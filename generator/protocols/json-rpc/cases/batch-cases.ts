import type { BatchAnswer, BatchItem } from "../../../../conformance/suite/json-rpc.ts";
import type { MethodEntry } from "../../../../conformance/suite/suite.ts";
import { minimalBase } from "../../../targets/conformance/case-list.ts";
import { addEndpointCase, refusedAs, transportOf, type StandardCases, inFrame } from "./standard-cases.ts";

/** A longer batch than this says nothing more. */
const longest = 500;

/** Several calls in one message (section 6). */
export function batchCases(cases: StandardCases): void {
  if (cases.wire.batch === false) noBatches(cases);
  else if (cases.probe.effect === "read") {
    refusedBatches(cases);
    if (cases.probed.kind !== "result") return;
    answeredBatches(cases, cases.wire.batch.max);
    notifiedBatches(cases);
  }
}

function noBatches(cases: StandardCases): void {
  addEndpointCase(cases, {
    group: "batch",
    name: "refused",
    title: "a batch, which the interface does not take",
    section: "6",
    request: { batch: [callOf(cases.probe, 1)] },
    expect: oneError(cases, "invalidRequest"),
    level: "decisions",
  });
}

function oneError(cases: StandardCases, fault: string) {
  const expect = refusedAs(cases, fault);
  return expect.kind === "error" ? { ...expect, id: null } : expect;
}

function refusedBatches(cases: StandardCases): void {
  addEndpointCase(cases, {
    group: "batch",
    name: "empty",
    title: "an empty batch is one invalid request",
    section: "6",
    request: { raw: "[]" },
    expect: oneError(cases, "invalidRequest"),
  });
  addEndpointCase(cases, {
    group: "batch",
    name: "broken",
    title: "a batch that is broken JSON is one parse error",
    section: "6",
    request: {
      raw: inFrame(
        cases,
        '[{"jsonrpc": "2.0", "method": "sum", "params": [1,2,4], "id": "1"},{"jsonrpc": "2.0", "method"',
      ),
    },
    expect: oneError(cases, "parseError"),
  });
}

function answeredBatches(cases: StandardCases, max: number): void {
  const { probe, list } = cases;
  const invalid: BatchAnswer = { id: null, codes: [list.fault("invalidRequest")] };
  const right = (id: string | number | null): BatchAnswer => ({ id, method: probe.name });
  const wrong: BatchItem = { ...callOf(probe, 2), payload: { "x-unknown": true } };
  const unknown: BatchItem = { kind: "call", method: "NoService.NoOperation", id: "5" };
  const add = (
    name: string,
    title: string,
    batch: readonly BatchItem[],
    answers: readonly BatchAnswer[],
  ): void => addBatch(cases, { name, title, batch, answers, max });
  const all = (name: string, title: string, ids: readonly (string | number | null)[]): void =>
    add(
      name,
      title,
      ids.map((id) => callOf(probe, id)),
      ids.map(right),
    );
  add("one-value", "a batch of a value that is no call", [value(1)], [invalid]);
  add("values", "values that are no calls", [value(1), value("2"), value([])], [invalid, invalid, invalid]);
  all("one", "a batch of one call", [1]);
  all("order", "answers are in the order of the calls", ["c", 1, "b", 2, "a"]);
  all("same-id", "two calls with one id have an answer each", [1, 1]);
  all("number-and-text", 'the ids 1 and "1" are two', [1, "1"]);
  all("id-null", "a call whose id is null is answered", [null, 1]);
  add(
    "partial-failure",
    "a call that fails does not stop the next one",
    [callOf(probe, 1), wrong, callOf(probe, 3)],
    [right(1), { id: 2, method: probe.name, codes: [list.fault("badInput")] }, right(3)],
  );
  add(
    "mixed",
    "right calls, unknown methods and what is no call at all",
    [callOf(probe, "1"), value({ foo: "boo" }), unknown, callOf(probe, "9")],
    [right("1"), invalid, { id: "5", codes: [list.fault("methodNotFound")] }, right("9")],
  );
  const most = Array.from({ length: Math.min(max, longest) }, (_none, index) => index + 1);
  if (max > 1 && max <= longest) all("longest", `${max} calls, the most that there may be`, most);
  if (max < longest) tooLong(cases, most);
}

function value(each: unknown): BatchItem {
  return { kind: "value", value: each };
}

function addBatch(
  cases: StandardCases,
  each: {
    readonly name: string;
    readonly title: string;
    readonly batch: readonly BatchItem[];
    readonly answers: readonly BatchAnswer[];
    readonly max: number;
  },
): void {
  const { name, title, batch, answers, max } = each;
  if (batch.length > max) return;
  addEndpointCase(cases, {
    group: "batch",
    name,
    title,
    section: "6",
    request: { batch },
    expect: { kind: "batch", answers },
  });
}

function tooLong(cases: StandardCases, most: readonly number[]): void {
  addEndpointCase(cases, {
    group: "batch",
    name: "too-long",
    title: `${most.length + 1} calls, one more than there may be, are one invalid request`,
    section: "6",
    request: { batch: [...most, 0].map((id) => callOf(cases.probe, id)) },
    expect: oneError(cases, "invalidRequest"),
    level: "decisions",
  });
}

/** Notifications in a batch have no answer; a batch of nothing else has none at all. */
function notifiedBatches(cases: StandardCases): void {
  const { probe, list, wire } = cases;
  const max = wire.batch === false ? 0 : wire.batch.max;
  const unknown: BatchItem = { kind: "call", method: "NoService.NoOperation" };
  const notified = list.suite.methods.find(
    (method) => method.effect === "read" && transportOf(method)?.notify === "allowed",
  );
  const quiet: BatchItem = notified === undefined ? unknown : { ...unknown, method: notified.name };
  if (max < 3) return;
  addEndpointCase(cases, {
    group: "batch",
    name: "notifications",
    title: "a batch of notifications alone is not answered",
    section: "6",
    request: { batch: [quiet, unknown] },
    expect: { kind: "silent" },
  });
  addEndpointCase(cases, {
    group: "batch",
    name: "notification-between",
    title: "a notification between two calls has no answer",
    section: "6",
    request: { batch: [callOf(probe, 1), quiet, callOf(probe, 2)] },
    expect: {
      kind: "batch",
      answers: [
        { id: 1, method: probe.name },
        { id: 2, method: probe.name },
      ],
    },
  });
}

function callOf(method: MethodEntry, id: string | number | null): Extract<BatchItem, { kind: "call" }> {
  return { kind: "call", method: method.name, base: minimalBase(method), id };
}
