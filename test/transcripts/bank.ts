import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { AccountRecord } from "../../ledger/domain/records/accounts.ts";
import type { Store, Writes, UserRecord } from "../../runtime/store/ports/index.ts";
import { institutions, users, apiKeys as apiKeysTable, deviceKeys, registrations, sources } from "../../runtime/store/tables/index.ts";
import { customers, legalReps, shareHolders, categories, accounts, beneficiaries } from "../../ledger/tables/index.ts";

/** API keys of the test users. */
export const apiKeys: Readonly<Record<string, string>> = {
  ana: "a11ce000000000000000000000000001",
  bea: "bea00000000000000000000000000002",
  cal: "ca100000000000000000000000000003",
  otto: "0770000000000000000000000000004f",
  old: "01d00000000000000000000000000005",
};

const institutionId = "091311229";

/**
 * A small bank. Ana may do everything and has a key of every state. Bea may read accounts of customer-2. Cal has no
 * key. Otto is an operator. Old has expired and revoked API keys.
 */
export async function addTestBank(store: Store, nowMs: number): Promise<void> {
  await store.write(async (tx) => {
    await tx.insert(institutions, { id: institutionId, name: "First Test Bank" });
    await addUsers(tx, nowMs);
    await addKeys(tx, nowMs);
    await addCustomer(tx, nowMs);
  });
}

async function addUsers(tx: Writes, nowMs: number): Promise<void> {
  const user = (userName: string, more: Partial<UserRecord> = {}): UserRecord => ({
    userName,
    institutionId,
    realm: "ledger",
    email: `${userName}@example.com`,
    scopes: ["*"],
    otpFailures: 0,
    createdAt: nowMs,
    ...more,
  });
  const hashed = (apiKey = "") => createHash("sha256").update(apiKey).digest("hex");
  await tx.insert(users, user("ana"));
  await tx.insert(users, user("bea", { scopes: ["AccountService.GetAccount"], groups: ["customer-2"] }));
  await tx.insert(users, user("cal"));
  await tx.insert(users, user("otto", { realm: "operator" }));
  await tx.insert(users, user("old"));
  for (const userName of ["ana", "bea", "cal", "otto"]) {
    const hash = hashed(apiKeys[userName]);
    await tx.insert(apiKeysTable, { id: `api-${userName}`, userName, hash, createdAt: nowMs });
  }
  const old = { userName: "old", createdAt: nowMs - 2 };
  await tx.insert(apiKeysTable, { ...old, id: "api-old-1", hash: hashed(apiKeys["old"]), expiresAt: nowMs });
  await tx.insert(apiKeysTable, { ...old, id: "api-old-2", hash: hashed("revoked"), revokedAt: nowMs - 1 });
  await tx.insert(apiKeysTable, { ...old, id: "api-old-3", hash: hashed("new"), expiresAt: nowMs + 1 });
}

async function addKeys(tx: Writes, nowMs: number): Promise<void> {
  const pem = (name: string) => readFileSync(join(import.meta.dirname, "keys", `${name}.pub.pem`), "utf8");
  const key = { createdAt: nowMs, status: "ACTIVE" } as const;
  await tx.insert(deviceKeys, { ...key, keyId: "key-ana", userName: "ana", publicKeyPem: pem("ana") });
  await tx.insert(deviceKeys, { ...key, keyId: "key-bea", userName: "bea", publicKeyPem: pem("bea") });
  await tx.insert(deviceKeys, { ...key, keyId: "key-pending", userName: "ana", status: "PENDING" });
  await tx.insert(deviceKeys, {
    ...key,
    keyId: "key-revoked",
    userName: "ana",
    publicKeyPem: pem("stranger"),
    status: "REVOKED",
    revokedAt: nowMs,
  });
  for (const userName of ["ana", "cal"]) {
    const otpToken = createHash("md5").update(userName).digest("hex");
    await tx.insert(registrations, {
      otpToken,
      userName,
      otpHash: createHash("sha256").update(`${otpToken}:123456`).digest("hex"),
      failures: 0,
      expiresAt: nowMs + 60_000,
      createdAt: nowMs,
    });
  }
}

async function addCustomer(tx: Writes, nowMs: number): Promise<void> {
  const times = { createdAt: nowMs, updatedAt: nowMs };
  const address = { addressLine1: "1 Main St", city: "Boston", state: "MA", country: "US", zip: "02110" };
  const contact = { email: "office@example.com", phoneNumber: "+12025550100" };
  await tx.insert(customers, {
    id: "customer-1",
    institutionId,
    type: "BUSINESS",
    name: "Example Ltd",
    status: "ACTIVE",
    identification: [{ type: "TIN", value: "12-3456789" }],
    contact,
    address,
    ...times,
  });
  await tx.insert(legalReps, {
    id: "rep-1",
    institutionId,
    customerId: "customer-1",
    name: "Robin Rep",
    email: "robin@example.com",
    status: "ACTIVE",
    ...times,
  });
  await tx.insert(shareHolders, {
    id: "holder-1",
    institutionId,
    customerId: "customer-1",
    name: "Sam Share",
    identification: { type: "SSN", value: "123-45-6789" },
    contact,
    address,
    status: "ENABLED",
    ...times,
  });
  await tx.insert(categories, { id: "category-1", institutionId, name: "Operating", createdAt: nowMs });
  await tx.insert(sources, {
    id: "source-1",
    institutionId,
    source: "CORE",
    events: [{ name: "Account.NEW", description: "New account created" }],
    keyIds: ["key-ana"],
    ...times,
  });
  await tx.insert(accounts, accountOf(nowMs));
  await tx.insert(beneficiaries, {
    id: "beneficiary-1",
    institutionId,
    accountId: "account-1",
    legalRepId: "rep-1",
    type: "INDIVIDUAL",
    firstName: "Ben",
    lastName: "Eficiary",
    accountNumber: "4402317756",
    accountType: "S",
    contact: {},
    address: { country: "US" },
    bankAddress: {},
    bankDetail: {},
    createdBy: "ana@example.com",
    status: "ACTIVE",
    ...times,
  });
}

function accountOf(nowMs: number): AccountRecord {
  return {
    id: "account-1",
    institutionId,
    customerId: "customer-1",
    name: "Operating account",
    number: "200000000000185",
    nickName: "",
    type: "CHECKING",
    status: "ACTIVE",
    category: "",
    currency: "USD",
    ledgerMinor: 0n,
    holdMinor: 0n,
    preAuthMinor: 0n,
    minimumMinor: 0n,
    subLedgerCode: "",
    tags: [],
    final: false,
    legalRepIds: ["rep-1"],
    glAccount: "",
    demandDeposit: true,
    address: {},
    verified: false,
    minimumRouteApprovers: 0,
    newRouteAlert: false,
    ceTransactionNumber: "",
    accountLevel: "",
    accountFinderSync: false,
    glVerified: false,
    shadow: false,
    sweep: false,
    program: "",
    productId: "",
    externalLedger: false,
    createdAt: nowMs,
    updatedAt: nowMs,
  };
}
