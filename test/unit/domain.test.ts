import { describe, expect, it } from "vitest";
import {
  accountStatuses,
  movementsAllowed,
  statusAfterMovement,
  statusChange,
  isIssuedAccountNumber,
  newAccountNumber,
  withCheckPair,
} from "../../ledger/domain/accounts.ts";
import { checkCallbackAddress, isDialable } from "../../runtime/events/callback-address.ts";
import { parseTimestamp, timestampText } from "../../runtime/contract/times.ts";
import { scopesAllow } from "../../runtime/protocol/signed-envelope/protocol.ts";
import {
  heldMinor,
  legsOf,
  netByAccount,
  type Movement,
  transactionEffects,
  transactionStatusChange,
} from "../../ledger/domain/transactions.ts";
import type { IdSource } from "../../runtime/store/ports/index.ts";
import type { TransactionStatus } from "../../ledger/domain/records/accounts.ts";
import { readSpecFiles } from "../contract/spec-files.ts";
import { fc } from "../seed.ts";

function usd(amountMinor: bigint) {
  return { amountMinor, currency: "USD" };
}

describe("account numbers (D-30)", () => {
  const ids = fc.tuple(fc.nat(8_999_999), fc.nat(999_999)).map(([head, tail]): IdSource => {
    const draws = [head, tail];
    return { id: () => "", bytes: () => new Uint8Array(), integer: () => draws.shift() ?? 0 };
  });

  it("are 15 digits that check", () => {
    fc.assert(
      fc.property(ids, (source) => {
        const number = newAccountNumber(source);
        expect(number).toMatch(/^[1-9][0-9]{14}$/);
        expect(isIssuedAccountNumber(number)).toBe(true);
      }),
    );
  });

  it("show every wrong digit and every swap of neighbours", () => {
    fc.assert(
      fc.property(ids, fc.nat(14), fc.integer({ min: 1, max: 9 }), (source, at, shift) => {
        const number = newAccountNumber(source);
        const digit = (Number(number[at]) + shift) % 10;
        expect(isIssuedAccountNumber(number.slice(0, at) + digit + number.slice(at + 1))).toBe(false);
        const swapped =
          number.slice(0, at) + (number[at + 1] ?? "") + (number[at] ?? "") + number.slice(at + 2);
        if (swapped !== number && swapped.length === 15) expect(isIssuedAccountNumber(swapped)).toBe(false);
      }),
    );
  });

  it("have the check pair of ISO 7064", () => {
    // The example of ISO 7064: 794 with MOD 97-10 gets 44.
    expect(withCheckPair("794")).toBe("79444");
    expect(isIssuedAccountNumber("123")).toBe(false);
    for (const wrong of ["123456789012", "12345678901234"])
      expect(isIssuedAccountNumber(withCheckPair(wrong)), `${wrong} and two digits`).toBe(false);
    expect(isIssuedAccountNumber(withCheckPair("1234567890123"))).toBe(true);
  });
});

describe("account status", () => {
  it("goes from any state to any, and is no change where it is the same (D-25)", () => {
    for (const present of accountStatuses) {
      for (const requested of accountStatuses) {
        const same = present === requested;
        expect(statusChange(present, requested, { closedIsFinal: false })).toBe(same ? "none" : "change");
        expect(statusChange(present, requested, { closedIsFinal: true })).toBe(
          same ? "none" : present === "CLOSED" ? "closed-is-final" : "change",
        );
      }
    }
  });

  it("says which way money may move (D-26)", () => {
    expect(movementsAllowed.ACTIVE).toEqual(["debit", "credit"]);
    expect(movementsAllowed.CURTAILED).toEqual(["credit"]);
    expect(movementsAllowed.DORMANT).toEqual(["credit"]);
    for (const status of ["CREATED", "SUSPENDED", "BLOCKED", "CLOSED", "DISABLED"] as const) {
      expect(movementsAllowed[status]).toEqual([]);
    }
  });

  it("wakes from DORMANT by a credit only (D-26)", () => {
    expect(statusAfterMovement("DORMANT", "credit")).toBe("ACTIVE");
    expect(statusAfterMovement("DORMANT", "debit")).toBe("DORMANT");
    expect(statusAfterMovement("CURTAILED", "credit")).toBe("CURTAILED");
  });
});

describe("what the spec says of changes that no operation of the document makes", () => {
  const { states } = readSpecFiles("spec/ledger");
  const changesOf = (name: string) =>
    (states[name]?.transitions ?? [])
      .filter(({ by }) => by === undefined)
      .map(({ from, to }) => [from, to] as const);

  it("is so for accounts", () => {
    const said = accountStatuses.flatMap((status) => {
      const after = statusAfterMovement(status, "credit");
      return after === status ? [] : [[status, after]];
    });
    expect(changesOf("AccountStatus")).toEqual(said);
  });

  it("is so for transactions", () => {
    const changes = changesOf("TransactionStatus").filter(([from]) => from !== "none");
    const all = ["COMPLETED", "FAILED", "DECLINED", "REJECTED", "CANCELLED"] as const;
    expect(changes).toEqual(all.map((to) => ["PENDING", to]));
  });

  it("is so for beneficiaries and customers", () => {
    expect(changesOf("BeneficiaryStatus")).toEqual([
      ["ACTIVE", "DISABLED"],
      ["DISABLED", "ACTIVE"],
    ]);
    expect(changesOf("CustomerStatus")).toEqual([["none", "ACTIVE"]]);
  });
});

describe("transaction status (D-27)", () => {
  const all: readonly TransactionStatus[] = [
    "COMPLETED",
    "PENDING",
    "FAILED",
    "DECLINED",
    "REJECTED",
    "CANCELLED",
  ];

  it("leaves PENDING for any other, and nothing else", () => {
    for (const present of all) {
      for (const requested of all) {
        const expected = present === requested ? "none" : present === "PENDING" ? "change" : "final";
        expect(transactionStatusChange(present, requested)).toBe(expected);
      }
    }
  });

  it("posts, holds or leaves the money alone", () => {
    expect(all.map((status) => transactionEffects[status])).toEqual([
      "post",
      "hold",
      "none",
      "none",
      "none",
      "none",
    ]);
  });
});

describe("postings", () => {
  const money = fc.record({
    amountMinor: fc.bigInt({ min: 0n, max: 10n ** 15n }),
    currency: fc.constantFrom("USD", "JPY"),
  });
  const account = fc.constantFrom("a", "b", "c", "d");
  const movement: fc.Arbitrary<Movement> = fc.record({
    debtorAccountId: account,
    creditorAccountId: account,
    amount: money,
    charges: fc.array(fc.record({ chargedAccountId: account, incomeAccountId: account, amount: money })),
  });

  it("sum to zero in every currency", () => {
    fc.assert(
      fc.property(movement, (asked) => {
        for (const currency of ["USD", "JPY"]) {
          const legs = legsOf(asked).filter((leg) => leg.currency === currency);
          expect(legs.reduce((sum, leg) => sum + leg.amountMinor, 0n)).toBe(0n);
        }
      }),
    );
  });

  it("debit the debtor and credit the creditor, and take charges to their account", () => {
    const asked: Movement = {
      debtorAccountId: "payer",
      creditorAccountId: "payee",
      amount: usd(1000n),
      charges: [{ chargedAccountId: "payer", incomeAccountId: "fees", amount: usd(25n) }],
    };
    expect([...netByAccount(legsOf(asked))]).toEqual([
      ["payer", -1025n],
      ["payee", 1000n],
      ["fees", 25n],
    ]);
    expect(heldMinor(asked)).toBe(1025n);
    expect(
      heldMinor({ ...asked, charges: asked.charges.map((c) => ({ ...c, chargedAccountId: "payee" })) }),
    ).toBe(1000n);
  });
});

describe("scopes (D-19)", () => {
  it.each([
    [["*"], "AccountService.GetAccount", true],
    [["AccountService.*"], "AccountService.GetAccount", true],
    [["AccountService.GetAccount"], "AccountService.GetAccount", true],
    [["GetSource"], "GetSource", true],
    [["AccountService.*"], "CustomerService.AddAccount", false],
    [["Account.*"], "AccountService.GetAccount", false],
    [["accountservice.*"], "AccountService.GetAccount", false],
    [["AccountService.*"], "GetSource", false],
    [[], "GetSource", false],
    [["A.B", "GetSource"], "GetSource", true],
  ])("%j and %s: %s", (scopes, method, allowed) => {
    expect(scopesAllow(scopes, method)).toBe(allowed);
  });
});

describe("times", () => {
  it("come back to the millisecond", () => {
    const time = fc.integer({ min: Date.UTC(0, 0, 1), max: Date.UTC(9999, 11, 31) });
    fc.assert(fc.property(time, (timeMs) => parseTimestamp(timestampText(timeMs)) === timeMs));
  });

  it("are written as JavaScript writes them, whatever was written before", () => {
    const time = fc.integer({ min: -8.64e15, max: 8.64e15 });
    const near = fc.integer({ min: 0, max: 10 * 86_400_000 });
    fc.assert(
      fc.property(time, near, (timeMs, after) => {
        for (const each of [timeMs, Math.min(timeMs + after, 8.64e15), timeMs])
          expect(timestampText(each)).toBe(new Date(each).toISOString());
      }),
    );
    expect(() => timestampText(Number.NaN)).toThrow(RangeError);
    expect(() => timestampText(8.64e15 + 1)).toThrow(RangeError);
  });

  it("keep the calendar", () => {
    expect(parseTimestamp("2028-02-29")).toBe(Date.UTC(2028, 1, 29));
    for (const bad of [
      "2027-02-29",
      "2026-04-31",
      "2026-13-01",
      "2026-01-00",
      "2026-01-01T24:00:00Z",
      "2026-01-01T00:60:00Z",
      "2026-01-01T00:00:60Z",
      "2026-01-01T00:00:00",
      "2026-01-01T00:00:00+24:00",
      "2026-01-01T00:00:00+01:60",
      "20260101",
      " 2026-01-01",
    ]) {
      expect(parseTimestamp(bad), bad).toBeUndefined();
    }
  });

  it("take an offset off and cut below the millisecond", () => {
    expect(parseTimestamp("2026-01-01T01:30:00.123456+01:30")).toBe(Date.UTC(2026, 0, 1, 0, 0, 0, 123));
    expect(parseTimestamp("2026-01-01T00:00:00+23:59")).toBe(Date.UTC(2025, 11, 31, 0, 1));
    expect(parseTimestamp("2025-12-31T23:00:00.5-01:00")).toBe(Date.UTC(2026, 0, 1, 0, 0, 0, 500));
  });
});

describe("callback addresses (D-44)", () => {
  const production = { httpCallbacks: false };
  const fault = (text: string, rules: Parameters<typeof checkCallbackAddress>[1] = production) => {
    const checked = checkCallbackAddress(text, rules);
    return checked.ok ? undefined : checked.fault;
  };

  it("are public https addresses", () => {
    for (const good of [
      "https://bank.example/hook?x=1",
      "https://8.8.8.8:8443/",
      "https://[2606:4700::1111]/",
    ]) {
      expect(fault(good)).toBeUndefined();
    }
  });

  it.each([
    ["http://bank.example/", "scheme"],
    ["ftp://bank.example/", "scheme"],
    ["javascript:alert(1)", "not-a-url"],
    ["bank.example/hook", "not-a-url"],
    ["https:bank.example", "not-a-url"],
    ["https:///bank.example", "not-a-url"],
    ["https:\\\\bank.example\\", "not-a-url"],
    [" https://bank.example", "not-a-url"],
    ["https://", "not-a-url"],
    ["https://user@bank.example/", "userinfo"],
    ["https://user:pass@bank.example/", "userinfo"],
    ["https://@bank.example/", "userinfo"],
    ["https://127.0.0.1/", "network"],
    ["https://127.1/", "network"],
    ["https://0x7f.0.0.1/", "network"],
    ["https://2130706433/", "network"],
    ["https://localhost/", "network"],
    ["https://a.LOCALHOST./", "network"],
    ["https://10.1.2.3/", "network"],
    ["https://172.31.0.1/", "network"],
    ["https://192.168.1.1/", "network"],
    ["https://169.254.169.254/latest", "network"],
    ["https://100.64.0.1/", "network"],
    ["https://224.0.0.1/", "network"],
    ["https://0.0.0.0/", "network"],
    ["https://[::1]/", "network"],
    ["https://[::]/", "network"],
    ["https://[fe80::1]/", "network"],
    ["https://[fd00::1]/", "network"],
    ["https://[::ffff:10.0.0.1]/", "network"],
    ["https://[64:ff9b::a00:1]/", "network"],
    ["https://[2002:a00:1::]/", "network"],
    ["https://127.0.0.1./", "network"],
    ["https://017700000001/", "network"],
    ["https://0./", "network"],
    ["https://127%2e0%2e0%2e1/", "network"],
    ["https://１２７．０．０．１/", "network"],
    ["https://①②⑦。⓪。⓪。①/", "network"],
    ["https://ｌｏｃａｌｈｏｓｔ/", "network"],
    ["https://loca\u00adlhost/", "network"],
    ["https://127.0.0.1#@8.8.8.8/", "network"],
    ["https://8.8.8.8\\@127.0.0.1/", "not-a-url"],
    ["https://[fe80::1%25eth0]/", "not-a-url"],
    ["https://0x100000000/", "not-a-url"],
    ["https://8.8.8.8:0/", "port"],
  ])("%s is refused: %s", (text, expected) => {
    expect(fault(text)).toBe(expected);
  });

  it("may be http and internal where that is configured, and only there", () => {
    const sandbox = { httpCallbacks: true, callbackNetworksAllowed: ["127.0.0.0/8", "::1/128"] };
    expect(fault("http://127.0.0.1:9000/hook", sandbox)).toBeUndefined();
    expect(fault("http://localhost:9000/hook", sandbox)).toBeUndefined();
    expect(fault("http://[::1]:9000/hook", sandbox)).toBeUndefined();
    expect(fault("http://10.0.0.1/", sandbox)).toBe("network");
    expect(fault("ftp://127.0.0.1/", sandbox)).toBe("scheme");
  });

  it("are checked again when they are resolved", () => {
    expect(isDialable("93.184.215.14")).toBe(true);
    expect(isDialable("192.168.0.1")).toBe(false);
    expect(isDialable("192.168.0.1", ["192.168.0.0/24"])).toBe(true);
    expect(isDialable("::ffff:192.168.0.1", ["192.168.0.0/24"])).toBe(true);
    expect(isDialable("bank.example")).toBe(false);
  });

  it.each([
    "0.0.0.0 0.255.255.255 10.0.0.0 10.255.255.255 100.64.0.0 100.127.255.255 127.0.0.0 127.255.255.255",
    "169.254.0.0 169.254.255.255 172.16.0.0 172.31.255.255 192.0.0.0 192.0.0.255 192.0.2.1 192.88.99.1",
    "192.168.0.0 192.168.255.255 198.18.0.0 198.19.255.255 198.51.100.1 203.0.113.1 224.0.0.0",
    "239.255.255.255 240.0.0.0 255.255.255.255 168.63.129.16 100.100.100.200 192.0.0.192",
    ":: ::1 ::7f00:1 ::ffff:127.0.0.1 ::FFFF:7F00:1 ::ffff:0:127.0.0.1 64:ff9b::8.8.8.8 64:ff9b:1::1",
    "64:ff9b:1:ffff:ffff:ffff:ffff:ffff 100::1 100:0:0:1::1 2001::1 2001:1ff:ffff::1 2001:db8::1",
    "2001:db8:ffff:ffff::1 2002:808:808::1 3fff::1 3fff:fff:ffff::1 1fff::1 4000::1 5f00::1 8000::1",
    "fc00::1 fdff::1 fd00:ec2::254 fe80::1 fe80::1%eth0 febf::1 fec0::1 ff02::1 ff0e::1",
  ])("are not dialled at either end of what is not public: %s", (addresses) => {
    expect(addresses.split(" ").filter((address) => isDialable(address))).toEqual([]);
  });

  it.each([
    "1.0.0.0 9.255.255.255 11.0.0.0 100.63.255.255 100.128.0.0 126.255.255.255 128.0.0.0 169.253.255.255",
    "169.255.0.0 172.15.255.255 172.32.0.0 191.255.255.255 192.0.1.0 192.0.3.0 192.167.255.255 192.169.0.0",
    "198.17.255.255 198.20.0.0 203.0.112.255 203.0.114.0 223.255.255.255 168.63.129.15 168.63.129.17",
    "2001:200::1 2001:4860:4860::8888 2001:db7:ffff::1 2001:db9::1 2003::1 2606:4700::1111 3ffe:ffff::1",
    "::ffff:8.8.8.8",
  ])("are dialled right beside it: %s", (addresses) => {
    expect(addresses.split(" ").filter((address) => !isDialable(address))).toEqual([]);
  });
});
