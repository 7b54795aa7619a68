import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { settingsOf } from "../../runtime/operations/config/index.ts";
import { application } from "../../ledger/application.ts";

const settings = settingsOf(application);

const root = join(import.meta.dirname, "../..");

/** The rows of all tables: what is limited, its value, its setting. */
const rows = readFileSync(join(root, "docs/limits.md"), "utf8")
  .split("\n")
  .filter((line) => line.startsWith("| "))
  .map((line) => line.split(/(?<!\\)\|/).map((cell) => cell.trim()))
  .map(([, what = "", value = "", setting = ""]) => ({ what, value, setting }));

/** Numbers that bound nothing. */
const noLimits = /\.port$|^audit\.rootMinutes$|^tracing\.sampleRatio$/;
const numbers = settings.filter(({ kind, path }) => kind.of === "integer" && !noLimits.test(path));

describe("the guide of limits", () => {
  test.each(numbers)("has $path with its defaults", ({ path, sandbox, production }) => {
    const [row] = rows.filter(({ setting }) => setting === `\`${path}\``);
    for (const value of [sandbox, production]) expect(row?.value.split(/[^\d,]+/)).toContain(shown(value));
  });

  /** Limits without a setting: the constant in its file. */
  test.each([
    ["nesting", "runtime/protocol/signed-envelope/decode.ts", "depthMax"],
    [
      "characters of a text, names of members too",
      "runtime/protocol/signed-envelope/decode.ts",
      "stringCharactersMax",
    ],
    ["items of a list", "runtime/protocol/signed-envelope/decode.ts", "arrayItemsMax"],
    ["characters of a request's `id`", "runtime/protocol/signed-envelope/decode.ts", "idCharactersMax"],
    ["digits of an amount", "runtime/json/exact-decimal.ts", "significantDigitsMax"],
    ["PEM of a public key", "runtime/auth/signing/signatures.ts", "pemCharactersMax"],
    [
      "header `Signature` (section 5.4)",
      "runtime/auth/signed-envelope/credential.ts",
      "signatureHeaderCharactersMax",
    ],
    [
      "`Signature-Input`, `Signature`, `Content-Digest`",
      "runtime/auth/http-signatures.ts",
      "headerCharactersMax",
    ],
    [
      "`Authorization: Basic …`, `credential`",
      "runtime/auth/signed-envelope/credential.ts",
      "encodedCharactersMax",
    ],
    ["`Content-Type`", "runtime/transport/http/endpoint.ts", "charactersMax"],
    ["headers", "runtime/transport/http/refusals.ts", "headersMax"],
    ["connections for health checks", "runtime/transport/http/connections.ts", "reserveMax"],
    ["deliveries that `ListDeliveries` looks at", "runtime/operations/admin/deliveries.ts", "lookedAtMax"],
    ["entries that `ListAudit` looks at", "runtime/operations/admin/audit.ts", "lookedAtMax"],
    ["attempts of a delivery that are kept", "runtime/events/model/stored-deliveries.ts", "attemptsKept"],
    ["signing keys of a user that are not revoked", "runtime/store/tables/access.ts", "signingKeysMax"],
    ["callers that a process remembers", "runtime/pipeline/auth-services.ts", "itemsMax"],
    ["API keys that `GetUser` and `ListKeys` show", "runtime/store/tables/access.ts", "apiKeysShownMax"],
    ["deliveries counted in statistics", "runtime/store/tables/query.ts", "backlogCountMax"],
    [
      "beneficiaries of a representative on an account",
      "ledger/handlers/services/accounts.ts",
      "beneficiariesMax",
    ],
    ["entries that `ListAudit` looks at", "runtime/operations/admin/audit.ts", "charactersMax"],
    [
      "bytes of the request that adds a beneficiary",
      "ledger/handlers/services/accounts.ts",
      "beneficiaryBytesMax",
    ],
    [
      "characters of the transactions on a page of `ListTransactions`",
      "ledger/handlers/operator/list-transactions.ts",
      "pageCharactersMax",
    ],
    ["deliveries claimed by a process", "runtime/events/dispatch/subscription-queues.ts", "claimedMax"],
    ["deliveries claimed by a process", "runtime/events/dispatch/subscription-queue.ts", "claimedMax"],
    [
      "deliveries that arrived, with their attempts",
      "runtime/events/maintenance/endpoint-monitor.ts",
      "prunedAtOnce",
    ],
    [
      "deliveries cancelled when a user is revoked, a subscription deleted, or what it missed not resumed",
      "runtime/events/operations/cancel.ts",
      "cancelledAtOnce",
    ],
    ["nonces of a key that are still valid", "runtime/auth/replays.ts", "perOwnerMax"],
    ["mails under way", "runtime/events/mail/mail-jobs.ts", "mailsAtOnce"],
    [
      "the same, with mails that the server was sent and has not answered",
      "runtime/events/mail/mail-jobs.ts",
      "underWayMax",
    ],
    ["wait for another program's lock", "runtime/store/sqlite/engine/group-commit.ts", "lockWaitMsDefault"],
    [
      "deliveries released when a subscription is enabled, or no longer ordered",
      "runtime/events/operations/redeliver.ts",
      "releasedAtOnce",
    ],
    [
      "retries and dead letters that `resume` makes due",
      "runtime/events/operations/redeliver.ts",
      "resumedMax",
    ],
    ["deliveries that `RedeliverRange` takes", "runtime/operations/admin/deliveries.ts", "queuedMax"],
    ["times that a transaction is run again", "runtime/store/postgres/engine/transactions.ts", "attemptsMax"],
    [
      "transactions in one commit of SQLite",
      "runtime/store/sqlite/engine/group-commit.ts",
      "groupMembersMax",
    ],
  ])("has %s as %s says", (what, file, name) => {
    const text = readFileSync(join(root, file), "utf8");
    const [, digits] = new RegExp(`\\b${name} = ([0-9_]+)[;,]`).exec(text) ?? [];
    expect(digits, `${name} in ${file}`).toBeDefined();
    const value = Number(digits?.replaceAll("_", ""));
    const line = readFileSync(join(root, "docs/limits.md"), "utf8")
      .split("\n")
      .find((each) => each.startsWith(`| ${what} `));
    expect(line, what).toBeDefined();
    expect(line?.split(/[^\d,]+/).map((each) => each.replace(/,$/, ""))).toContain(shown(value));
  });
});

function shown(value: unknown): string {
  return Number(value).toLocaleString("en");
}
