import { describe, expect, test } from "vitest";
import { ledgerInterface } from "../../generated/ledger/methods.ts";
import { RpcError } from "../../runtime/contract/index.ts";
import { listAccounts } from "../../ledger/handlers/ledger/account-service/list-accounts.ts";
import { signedEnvelopes } from "../../runtime/protocol/signed-envelope/index.ts";
import { createOutcomes } from "../../runtime/service/outcome.ts";
import { StoreBusyError, TooManyRowsError } from "../../runtime/store/ports/index.ts";
import { createMemoryStore } from "../bank-stores.ts";
import { sealer, systemClock } from "../../runtime/operations/system/index.ts";

type Context = Parameters<typeof listAccounts>[1];

/** A context whose store fails to list. */
async function listedWith(failure: Error, payload: Parameters<typeof listAccounts>[0]): Promise<unknown> {
  return createMemoryStore().read(async (view) => {
    const store = { ...view, page: () => Promise.reject(failure) };
    const context: Context = {
      caller: { userName: "teller", institutionId: "bank" },
      signal: new AbortController().signal,
      clock: systemClock,
      riskScorer: { score: () => 0 },
      rules: { closedIsFinal: false, overdraft: "allow", closing: "any" },
      policy: {
        interfaces: ["ledger"],
        subscriptionsPerUserMax: 1_000,
        httpCallbacks: false,
        callbackNetworksAllowed: [],
        callbackPortsAllowed: [],
      },
      keyUses: { of: async () => new Map() },
      sealer: sealer(new Uint8Array(32)),
      store,
      error: (code, detail) => new RpcError(code, detail),
    };
    return listAccounts(payload, context).catch((error: unknown) => error);
  });
}

describe("a list that would take too much", () => {
  test("says that the filter is to be narrowed, and by what", async () => {
    const error = await listedWith(new TooManyRowsError(30_000), { filter: "balance > 5" });
    expect(error).toMatchObject({
      code: "BAD_INPUT",
      detail: { field: "/filter", reason: "filter-too-expensive", data: { rowsMax: 30_000 } },
    });
    expect(JSON.stringify(error)).toMatch(/30000 accounts.*createdDate.*customerID/);
  });

  test("says that the page is too far where there is no filter", async () => {
    const error = await listedWith(new TooManyRowsError(30_000), { PageNumber: 9_000 });
    expect(error).toMatchObject({
      code: "BAD_INPUT",
      detail: { field: "/PageNumber", reason: "page-too-far" },
    });
  });

  test("is to be asked for again where the store is busy: 503 and a time to wait", async () => {
    const busy = new StoreBusyError("too many reads are waiting already");
    expect(await listedWith(busy, { PageNumber: 1 })).toBe(busy);
    const method = ledgerInterface.methods["AccountService.ListAccounts"];
    if (method === undefined) throw new Error("no ListAccounts");
    const outcomes = createOutcomes(signedEnvelopes(ledgerInterface), () => undefined);
    expect(outcomes.thrown(busy, method, new AbortController().signal, {})).toMatchObject({
      httpStatus: 503,
      code: "UNAVAILABLE",
      reason: "reads-busy",
      retryAfterS: 1,
    });
  });
});
