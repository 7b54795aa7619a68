import { beforeEach, describe, expect, test } from "vitest";
import { omitUndefined, RpcError, type RpcErrorDetail } from "../../runtime/contract/index.ts";
import {
  mailHandlers,
  pageToken,
  shownPage,
  subscriptionHandlers,
  subscriptionOf,
  usersPage,
  visibleRecords,
  type Visible,
} from "../../runtime/operations/admin/index.ts";
import { adminHandlers } from "../../runtime/operations/admin/interface.ts";
import { idSource, systemClock } from "../../runtime/operations/system/index.ts";
import type { Caller } from "../../runtime/auth/auth-services.ts";
import type { WriteContext } from "../../runtime/pipeline/handler-context.ts";
import { createMemoryStore } from "../../runtime/store/memory/index.ts";
import type { AuditedChange, Store, Writes } from "../../runtime/store/ports/index.ts";
import {
  institutions,
  outboxMails,
  subscriptions,
  subscriptionsByIds,
  users,
} from "../../runtime/store/tables/index.ts";
import { seal } from "./delivery-harness.ts";

/** An application of hiking clubs: its groups are clubs, and guides get mails without being users. */
const clubOf: ReadonlyMap<string, string> = new Map([
  ["guide-1", "north"],
  ["guide-2", "south"],
]);
const visible: Visible = (context) =>
  visibleRecords(context, {
    operators: "wardens",
    groupOfRecipient: async (_view, _institutionId, id) => clubOf.get(id),
  });
const handlers = {
  ...mailHandlers(visible),
  ...subscriptionHandlers({
    visible,
    source: "wardens",
    shown: subscriptionOf,
    takes: ({ realm }) => realm === "walks",
    refusalOf: async () => undefined,
  }),
};
const institutionId = "hikers";
const warden: Caller = { userName: "warden", institutionId };
const ofNorth: Caller = { ...warden, groups: ["north"] };

let store: Store;
beforeEach(async () => {
  store = createMemoryStore({ tables: [], migrations: [] });
  await store.write(async (tx) => {
    await tx.insert(institutions, { id: institutionId, name: "Hikers" });
    const user = { institutionId, realm: "walks", email: "app@hike.example", scopes: ["*"], otpFailures: 0 };
    for (const club of ["north", "south"]) {
      await tx.insert(users, { ...user, userName: club, groups: [club], createdAt: 1 });
      await tx.insert(subscriptions, {
        id: `of-${club}`,
        institutionId,
        userName: club,
        name: "Weather",
        callbackUrl: "https://hike.example/hook",
        events: ["Trail.CLOSED"],
        groupId: [],
        secretSealed: seal.seal("secret"),
        enabled: true,
        ordered: false,
        createdAt: 1,
        updatedAt: 1,
      });
    }
    const mail = { institutionId, kind: "rota", messageSealed: seal.seal("{}"), attempts: 0, failures: 0 };
    for (const recipientId of clubOf.keys())
      await tx.insert(outboxMails, { ...mail, id: recipientId, recipientId, state: "FAILED", createdAt: 1 });
  });
});

const recorded: AuditedChange[] = [];

/** Calls a handler in a transaction, as this caller. */
function as<R>(caller: Caller, call: (context: WriteContext & Failures) => Promise<R>): Promise<R> {
  recorded.length = 0;
  return store.write((tx) => call(contextOf(caller, tx)));
}

interface Failures {
  error<Code extends string>(code: Code, detail?: RpcErrorDetail<string>): RpcError<Code>;
}

function contextOf(caller: Caller, tx: Writes): WriteContext & Failures {
  return {
    caller,
    signal: new AbortController().signal,
    store: tx,
    clock: systemClock,
    ids: idSource(systemClock),
    sealer: seal,
    policy: { interfaces: ["walks"], subscriptionsPerUserMax: 10, httpCallbacks: false },
    keyUses: { of: async () => new Map() },
    events: { record: async () => undefined, wake: () => undefined },
    mail: { queue: async () => undefined, wake: () => undefined },
    audit: { record: async (change) => void recorded.push(change) },
    invalidateCaller: () => undefined,
    commitOnFailure: () => undefined,
    error: (code, detail) => new RpcError(code, detail),
  };
}

describe("an operator of any application", () => {
  test("sees mails in the application's words, those of its groups alone", async () => {
    const seen = async (caller: Caller) =>
      (await as(caller, (context) => handlers.listMails({}, context))).mails.map(
        ({ mailId, kind, recipientId }) => [mailId, kind, recipientId],
      );
    expect(await seen(warden)).toEqual([
      ["guide-2", "rota", "guide-2"],
      ["guide-1", "rota", "guide-1"],
    ]);
    expect(await seen(ofNorth)).toEqual([["guide-1", "rota", "guide-1"]]);
    await expect(
      as(ofNorth, (context) => handlers.getMail({ mailId: "guide-2" }, context)),
    ).rejects.toMatchObject({ code: "NOT_FOUND_MAIL" });
  });

  test("sends failed mails again, which the audit log says of each", async () => {
    expect(await as(ofNorth, (context) => handlers.resendFailedMails({}, context))).toEqual({
      queued: 1,
      more: false,
    });
    expect(recorded).toEqual([{ subjectType: "mail", subjectId: "guide-1", changes: [] }]);
  });

  test("reads and rotates secrets of subscriptions that it sees, and deletes those", async () => {
    const asked = { subscriptionId: "of-north" };
    const rotated = await as(ofNorth, (context) => handlers.rotateSubscriptionSecret(asked, context));
    expect(rotated).toMatchObject({ ...asked, formerSecret: "secret" });
    expect(await as(warden, (context) => handlers.deleteSubscription(asked, context))).toEqual(asked);
    for (const subscriptionId of ["of-north", "of-south"])
      await expect(
        as(ofNorth, (context) => handlers.getSubscriptionSecret({ subscriptionId }, context)),
      ).rejects.toMatchObject({ code: "NOT_FOUND_SUBSCRIPTION" });
  });

  test("gives a new user no group beyond its own", async () => {
    const { IssueCredential, GetUser } = adminHandlers("wardens");
    const issue = (userName: string, groups?: readonly string[]) =>
      as(ofNorth, (context) => IssueCredential({ userName, ...omitUndefined({ groups }) }, context));
    await expect(issue("ann", ["north", "south"])).rejects.toMatchObject({ code: "UNAUTHORIZED" });
    const { userName } = await issue("ann");
    const { user } = await as(ofNorth, (context) => GetUser({ userName }, context));
    expect(user).toMatchObject({ userName: "hikers.ann", interface: "walks", groups: ["north"] });
    expect(user).not.toHaveProperty("email");
  });

  test("finds users of a group in short pages, where those that are passed over have many groups", async () => {
    const many = Array.from({ length: 300 }, (_, index) => `club-${index}`);
    const user = { institutionId, realm: "walks", email: "", scopes: ["*"], otpFailures: 0, createdAt: 1 };
    const names = Array.from({ length: 150 }, (_, index) => `n${String(index).padStart(3, "0")}`);
    await store.write((tx) =>
      tx.insert(users, ...names.map((userName) => ({ ...user, userName, groups: many }))),
    );
    const page = (after?: string) =>
      as(warden, (context) => usersPage(context, "wardens", { realm: "walks", group: "south", after }));
    const first = await page();
    expect(first.users).toEqual([]);
    const second = await page(first.next);
    expect(second.users.map(({ userName }) => userName)).toEqual(["south"]);
    expect(second.next).toBeUndefined();
  });

  test("lists subscriptions in short pages, where much waits for them", async () => {
    const [north, south] = await store.read((view) =>
      view.many(subscriptionsByIds, institutionId, ["of-north", "of-south"]),
    );
    if (north === undefined || south === undefined) throw new Error("there are two");
    const shown = (waiting: number) =>
      shownPage([north, south], "next", async ({ id }) => ({
        id,
        statistics: { pending: 10_000, waiting, held: 10_000 },
      }));
    expect(await shown(10_000)).toMatchObject({ subscriptions: [{}, { id: "of-south" }], next: "next" });
    expect(await shown(80_000)).toMatchObject({
      subscriptions: [{ id: "of-north" }],
      next: pageToken(north),
    });
  });
});
