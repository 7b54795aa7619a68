import { Command } from "commander";
import { resources } from "../../ledger/cli/operate/commands.ts";
import { addVerbs } from "../../ledger/cli/operate/program.ts";
import { expect, test } from "vitest";
import type { GetDeliveryResult, Subscription } from "../../generated/operator/client/index.ts";
import { fieldsOf, optionOf } from "../../ledger/cli/operate/fields.ts";
import { describedInterface } from "../../ledger/cli/operate/interface.ts";
import { explain, explanationText } from "../../ledger/cli/operate/why.ts";

const described = describedInterface();

/** What a flag of an operator's command makes of a text. */
function read(method: string, flag: string, text: string): unknown {
  const fields = fieldsOf(described.method(method).payload, described.resolve);
  const field = fields.find((each) => each.flag === flag);
  if (field === undefined) throw new Error(`${method} has no --${flag}`);
  return optionOf(field).parseArg?.(text, undefined);
}

test.each([
  ["SetAccountStatus", "status", "BLOKED", "It is one of CREATED, ACTIVE,"],
  ["ListAudit", "subject", "users", "It is one of institution, account,"],
  ["UpdateSubscription", "enabled", "maybe", "Write one of true, false."],
  ["ListAudit", "page-size", "many", "many is no number:"],
  ["ListAudit", "page-size", " ", "is no number:"],
])(
  "%s --%s refuses a value that there is not, and names those that there are",
  (method, flag, text, hint) => {
    expect(() => read(method, flag, text)).toThrow(hint);
  },
);

test("a flag takes each of its values, and any text where it lists none", () => {
  expect(read("SetAccountStatus", "status", "BLOCKED")).toBe("BLOCKED");
  expect(read("IssueCredential", "customer-ids", "a,b")).toEqual(["a", "b"]);
  expect(read("ListAudit", "subject-id", "anything")).toBe("anything");
});

test.each(Object.keys(resources))("the help of %s fits 80 columns", (resource) => {
  let text = "";
  const width = { getOutHelpWidth: () => 80, writeOut: (part: string) => void (text += part) };
  const group = new Command(resource).configureOutput(width);
  addVerbs(group, resource);
  for (const command of group.commands) command.configureOutput(width).outputHelp();
  expect(text.split("\n").filter((line) => line.length > 80)).toEqual([]);
});

const delivery: GetDeliveryResult["delivery"] = {
  deliveryId: "d-1",
  subscriptionId: "s-1",
  eventId: "e-1",
  eventName: "Account.NEW",
  groupId: [],
  sequence: 1,
  state: "DELIVERED",
  attempts: 1,
  createdDate: "2026-03-02",
};
const subscription: Subscription = {
  subscriptionId: "s-1",
  userName: "erp",
  name: "Books",
  callbackUrl: "https://erp.example/",
  events: [],
  groupId: [],
  enabled: true,
  ordered: false,
  createdDate: "2026-03-01",
  updatedDate: "2026-03-01",
  statistics: { delivered: 0, failedAttempts: 0, deadLetters: 0, pending: 0, waiting: 0, held: 0 },
};
const attempt = { number: 3, startedDate: "2026-03-02", durationMs: 9, responseTruncated: false };
const disabled = { ...subscription, enabled: false, disabledDate: "2026-03-03" };
const resend = "ledger-server deliveries resend d-1";
const enable = "ledger-server subscriptions update s-1 --enabled true --resume true";

test.each<
  readonly [
    string,
    Partial<GetDeliveryResult["delivery"]>,
    GetDeliveryResult["attemptsMade"],
    Subscription | undefined,
    readonly string[],
    readonly string[],
  ]
>([
  ["that arrived", {}, [{ ...attempt, failure: "timeout" }], subscription, ["It arrived"], []],
  [
    "that failed",
    { state: "PENDING", nextAttemptDate: "2026-03-04" },
    [{ ...attempt, failure: "status", status: 500, detail: "no" }, attempt],
    subscription,
    [
      "It has not arrived yet",
      "Attempt 3 of 2026-03-02 failed: the receiver answered with an error (HTTP 500): no.",
      "The next attempt is due at 2026-03-04.",
    ],
    ["Look at the receiver's log at the time of the attempt.", resend],
  ],
  [
    "of a subscription that failed for long",
    { state: "HELD" },
    [],
    { ...disabled, disabledReason: "FAILING" },
    ["It is held", "not enabled since 2026-03-03: nothing arrived for 120 hours."],
    [enable],
  ],
  [
    "whose address is gone",
    { state: "DEAD" },
    [],
    { ...disabled, disabledReason: "GONE" },
    ["It is a dead letter", "its address answered 410."],
    [enable, resend],
  ],
  [
    "of a subscription that is gone",
    { state: "CANCELLED", cancelReason: "DELETED" },
    [],
    undefined,
    ["It was cancelled", "The reason is DELETED.", "subscription s-1 does not exist any more."],
    [],
  ],
  [
    "to an address that is paused",
    { state: "WAITING" },
    [],
    { ...subscription, statistics: { ...subscription.statistics, pausedUntil: "2026-03-05" } },
    ["It waits for an earlier event", "pauses its attempts at this address until 2026-03-05."],
    [],
  ],
])(
  "why says of a delivery %s what happened and what to do",
  (_what, own, attemptsMade, of, because, todo) => {
    const found = explain({ delivery: { ...delivery, ...own }, attemptsMade, payload: "{}" }, of);
    expect(found.because).toEqual(because.map((part) => expect.stringContaining(part)));
    expect(found.whatToDo).toEqual(todo);
    expect(explanationText(found)).toContain(`What to do:\n  ${todo[0] ?? "Nothing."}`);
  },
);
