import { withCallers, withPrincipal } from "../changes/authentication.ts";
import { deliveredFrom } from "../changes/events.ts";
import { withHandler, withResult, withTables, type Payload } from "../changes/handlers.ts";
import { withStore } from "../changes/store.ts";
import { each, faultOf, type ChangeOptions, type Fault } from "../fault.ts";

const getAccount = "AccountService.GetAccount";
const listAccounts = "AccountService.ListAccounts";
const getBeneficiary = "AccountService.GetBeneficiary";
const setRepStatus = "CustomerService.UpdateLegalRepStatus";
const portalLogin = "CustomerService.CreateLegalRepLogin";
const byReference = "TransactionService.GetTransactionsByRef";

const authenticate = faultOf("authenticate");
const events = faultOf("events");
const handlers = faultOf("handlers");
const storage = faultOf("storage");

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** What was seen of an object: its value, the one before, and the time of the change. */
interface Seen {
  readonly value: unknown;
  readonly former: unknown;
  readonly sinceMs: number;
}

/**
 * A member is shown as it was before: from so many milliseconds after its present value was first shown until so many.
 */
function formerly(member: string, from: number, to: number): (item: Payload) => object {
  const known = new Map<unknown, Seen>();
  return (item) => {
    const key = item["ID"] ?? item["id"] ?? item["ReferenceId"];
    const value = item[member];
    const before = known.get(key);
    const isSame = before !== undefined && JSON.stringify(before.value) === JSON.stringify(value);
    const seen = isSame ? before : { value, former: before?.value ?? value, sinceMs: Date.now() };
    known.set(key, seen);
    const ageMs = Date.now() - seen.sinceMs;
    return ageMs >= from && ageMs < to ? { ...item, [member]: seen.former } : item;
  };
}

/** Gives a CLOSED account its status before, two seconds later. */
function withFormerStatus(): (account: Payload) => object {
  const back = formerly("status", 2 * seconds, Infinity);
  return (account) => {
    const shown = back(account);
    return account["status"] === "CLOSED" ? shown : account;
  };
}

/** An account loses its legal representatives some time after it was first read. */
function withoutRepresentatives(afterMs: number): (account: Payload) => object {
  const firstMs = new Map<unknown, number>();
  return (account) => {
    const known = firstMs.get(account["id"]) ?? Date.now();
    firstMs.set(account["id"], known);
    return Date.now() - known < afterMs ? account : { ...account, legalReps: [] };
  };
}

const read = (change: (account: Payload) => object): ChangeOptions =>
  withResult(getAccount, (result) => ({ ...result, account: change({ ...Object(result["account"]) }) }));

const listed = (change: (item: Payload) => object | undefined): ChangeOptions =>
  withResult(listAccounts, (result) => ({
    ...result,
    accounts: listOf(result["accounts"]).flatMap((item) => change({ ...Object(item) }) ?? []),
  }));

/** For some time after it was made INACTIVE, a legal representative gets logins. */
function activeAgain(from: number, to: number): ChangeOptions {
  const inactive = new Map<unknown, number>();
  return each(
    withHandler(setRepStatus, (sound) => async (payload, context) => {
      const result = await sound(payload, context);
      if (payload["Status"] === "INACTIVE") inactive.set(payload["ID"], Date.now());
      else inactive.delete(payload["ID"]);
      return result;
    }),
    withTables(portalLogin, ({ legalReps }) => ({
      legalReps: {
        ...legalReps,
        async find(institutionId, id) {
          const found = await legalReps.find(institutionId, id);
          const ageMs = Date.now() - (inactive.get(id) ?? Infinity);
          return found !== undefined && ageMs >= from && ageMs < to ? { ...found, status: "ACTIVE" } : found;
        },
      },
    })),
  );
}

/** That there is no such transaction is remembered for so many milliseconds. */
function absenceRemembered(ms: number): ChangeOptions {
  const absent = new Map<unknown, { readonly at: number; readonly error: unknown }>();
  return withHandler(byReference, (sound) => async (payload, context) => {
    const known = absent.get(payload["ReferenceId"]);
    if (known !== undefined && Date.now() - known.at < ms) throw known.error;
    try {
      return await sound(payload, context);
    } catch (error) {
      absent.set(payload["ReferenceId"], { at: Date.now(), error });
      throw error;
    }
  });
}

/** A repetition is taken for a new request where its first answer is forgotten. */
const forgotten = (isForgotten: (answer: { readonly createdAt: number }) => boolean): ChangeOptions =>
  withStore({
    writing: ({ answers }) => ({
      answers: {
        ...answers,
        async find(requestHash) {
          const found = await answers.find(requestHash);
          if (found === undefined || !isForgotten(found)) return found;
          await answers.remove(requestHash);
          return undefined;
        },
      },
    }),
  });

/** The answers to the last creations alone are remembered. */
function lastAlone(most: number): ChangeOptions {
  const made: number[] = [];
  return each(
    withResult("CustomerService.AddAccount", (result) => {
      made.push(Date.now());
      return result;
    }),
    forgotten(({ createdAt }) => createdAt < (made.at(-most) ?? 0)),
  );
}

/** So many milliseconds after it was last used a key that was revoked is active again. */
function keyBackAfter(ms: number): ChangeOptions {
  const used = new Map<string, { readonly at: number; readonly key: () => ReturnType<ActiveKey> }>();
  return withCallers((sound) => ({
    async activeKey(keyId, user) {
      const found = await sound.activeKey(keyId, user);
      if (found !== undefined) used.set(keyId, { at: Date.now(), key: async () => found });
      const last = used.get(keyId);
      return found ?? (last !== undefined && Date.now() - last.at >= ms ? last.key() : undefined);
    },
  }));
}

type ActiveKey = Parameters<Parameters<typeof withCallers>[0]>[0]["activeKey"];

/** Of several API keys each is taken for so many milliseconds since it was first seen. */
function lapsingAfter(ms: number): ChangeOptions {
  const seen = new Map<string, number>();
  const isOld = (hash: Buffer): boolean => {
    const at = seen.get(hash.toString("hex")) ?? Date.now();
    seen.set(hash.toString("hex"), at);
    return at < Date.now() - ms;
  };
  return withPrincipal(({ user, apiKeys }) => ({
    user,
    apiKeys: apiKeys.filter(({ hash }) => !isOld(hash) || apiKeys.length === 1),
  }));
}

/** So many milliseconds after its first event a subscription receives nothing. */
function silentAfter(ms: number): NonNullable<Fault["delivery"]> {
  const first = new Map<string, number>();
  return deliveredFrom({
    reading: ({ subscriptionTopics }) => ({
      subscriptionTopics: {
        ...subscriptionTopics,
        async inLane(...parts) {
          const found = await subscriptionTopics.inLane(...parts);
          return found.filter(({ subscriptionId }) => {
            const at = first.get(subscriptionId) ?? Date.now();
            first.set(subscriptionId, at);
            return Date.now() - at < ms;
          });
        },
      },
    }),
  });
}

/** An account's creation is dated a millisecond later each second. */
function drifting(): (item: Payload) => object {
  const seen = new Map<unknown, number>();
  return (item) => {
    const at = seen.get(item["ID"]) ?? Date.now();
    seen.set(item["ID"], at);
    const createdAtMs = Date.parse(String(item["createdDate"])) + Math.floor((Date.now() - at) / 1000);
    return { ...item, createdDate: new Date(createdAtMs).toISOString() };
  };
}

const seconds = 1_000;

/** Breaches of the document that a run without an operator has to find. */
const ofDocument: readonly Fault[] = [
  handlers("transaction-begun-now", "Each read of a transaction has a TimeStamp of its own.", {
    options: withResult(byReference, (result) => ({ ...result, TimeStamp: new Date().toISOString() })),
  }),
  handlers(
    "representatives-gone",
    "A second after it was first read an account has no legal representatives.",
    {
      options: read(withoutRepresentatives(seconds)),
    },
  ),
  handlers("closed-opens-again", "Two seconds after it was CLOSED an account has its former status.", {
    options: read(withFormerStatus()),
  }),
  storage("category-back-after-two-seconds", "Two seconds after a change reads show the former category.", {
    options: read(formerly("accountCategory", 2 * seconds, Infinity)),
  }),
  storage(
    "category-back-after-eight-seconds",
    "Eight seconds after a change reads show the former category.",
    {
      options: read(formerly("accountCategory", 8 * seconds, Infinity)),
    },
  ),
  storage("category-stale-from-one-second", "From 1 to 2 s after a change reads show the former category.", {
    options: read(formerly("accountCategory", seconds, 2 * seconds)),
  }),
  storage("status-back-after-eight-seconds", "Eight seconds after a change reads show the former status.", {
    options: read(formerly("status", 8 * seconds, Infinity)),
  }),
  storage("creation-drifts", "createdDate of a record that is read moves by a millisecond a second.", {
    options: read(drifting()),
  }),
];

const ofDecisions: readonly Fault[] = [
  handlers("category-listed-late", "For 1.5 s after a change lists show the former category.", {
    options: listed(formerly("accountCategory", 0, 1.5 * seconds)),
  }),
  handlers("category-lost-in-lists", "From 1 to 3 s after a change lists show the former category.", {
    options: listed(formerly("accountCategory", seconds, 3 * seconds)),
  }),
  handlers("status-lost-in-lists", "Eight seconds after a change lists show the former status.", {
    options: listed(formerly("status", 8 * seconds, Infinity)),
  }),
  handlers("customer-renamed-late", "For 1.5 s after a change accounts show the customer's former name.", {
    options: read(formerly("customerName", 0, 1.5 * seconds)),
  }),
  handlers("customer-name-back", "Two seconds after a change accounts show the customer's former name.", {
    options: read(formerly("customerName", 2 * seconds, Infinity)),
  }),
  handlers("representative-inactive-late", "For 1.5 s an INACTIVE legal representative still gets logins.", {
    options: activeAgain(0, 1.5 * seconds),
  }),
  handlers("representative-active-again", "After two seconds an INACTIVE legal representative gets logins.", {
    options: activeAgain(2 * seconds, Infinity),
  }),
  handlers("absence-remembered", "A reference that was unknown stays so for five seconds.", {
    options: absenceRemembered(5 * seconds),
  }),
  handlers("transaction-status-late", "For 1.5 s a transaction is shown with its former status.", {
    options: withResult(byReference, formerly("Status", 0, 1.5 * seconds)),
  }),
  handlers("transaction-status-back", "Two seconds after a change a transaction has its former status.", {
    options: withResult(byReference, formerly("Status", 2 * seconds, Infinity)),
  }),
  handlers("balance-back", "Two seconds after a transaction reads show the former balance.", {
    options: read(formerly("balance", 2 * seconds, Infinity)),
  }),
  handlers("beneficiary-enabled-again", "Two seconds after a change a beneficiary has its former status.", {
    options: withResult(getBeneficiary, formerly("status", 2 * seconds, Infinity)),
  }),
  handlers(
    "repetition-forgotten-after-eight-seconds",
    "A repetition after eight seconds opens another account.",
    {
      options: forgotten(({ createdAt }) => createdAt < Date.now() - 8 * seconds),
    },
  ),
  handlers("repetition-forgotten-after-many", "The answers to the last 40 openings alone are remembered.", {
    options: lastAlone(40),
  }),
  authenticate("revoked-key-back", "Three seconds after it was revoked a key verifies again.", {
    options: keyBackAfter(3 * seconds),
  }),
  authenticate("rotated-credential-lapses", "Of two API keys none is taken for more than two seconds.", {
    options: lapsingAfter(2 * seconds),
  }),
  events("silent-after-four-seconds", "A subscription receives nothing four seconds after its first event.", {
    delivery: silentAfter(4 * seconds),
  }),
];

/** Those that break the document, by their ids. */
export const twelfthRoundOfDocument: readonly string[] = ofDocument.map(({ id }) => id);

/** Faults that show only in time: some seconds later, or after many other requests. */
export const twelfthRoundFaults: readonly Fault[] = [...ofDocument, ...ofDecisions];
