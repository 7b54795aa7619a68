import { existsSync, readFileSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { describe, expect, test } from "vitest";
import type { RegistrationRecord, Sealer } from "../../runtime/store/ports/index.ts";
import { openSqliteReader, openSqliteStore, rotateSealKeyOf, verifySqliteFile } from "../bank-stores.ts";
import { sealer } from "../../runtime/operations/system/index.ts";
import {
  mail,
  customer,
  insertParties,
  shareHolder,
  transaction as plainTransaction,
  transactionWith,
  user,
} from "../store-contract/samples.ts";
import { migratedFileForEachTest, tamper } from "./storage-folder.ts";
import {
  customers,
  shareHolders,
  transactions,
  customerById,
  shareHolderById,
  transactionById,
} from "../../ledger/tables/index.ts";
import {
  registrations,
  registrationOf,
  subscriptionById,
  answerByHash,
  outboxMails,
  answers,
  serviceKeys,
} from "../../runtime/store/tables/index.ts";

const file = migratedFileForEachTest();
const [first, second, third] = [1, 2, 3].map((byte) => Buffer.alloc(32, byte));
const firstKey = sealer(first ?? Buffer.alloc(0));
const secondKey = sealer(second ?? Buffer.alloc(0));
const firstToSecond = sealer(second ?? Buffer.alloc(0), first ?? Buffer.alloc(0));

const transaction = {
  ...plainTransaction,
  documentJson: `{"TimeStamp":"2026-01-01T00:00:00+03:00","CreditorAccount":{"Party":{"Name":"\\"Identification\\":\\"x\\"","Identification":"219-09-9999","IdentificationType":"SSN"}}}`,
};
const registration: RegistrationRecord = {
  otpToken: "0123456789abcdef0123456789abcdef",
  userName: user.userName,
  otpHash: "ab".repeat(32),
  failures: 0,
  expiresAt: 2,
  createdAt: 1,
};
/** What must not be readable in any file. */
const personal = ["12-3456789", "078-05-1120", "219-09-9999", registration.otpToken, "answered secret"];

describe("personal data and one-time tokens", () => {
  test("are in no file as they are, neither at once nor after a change or the end", async () => {
    const store = await open(firstKey);
    await fill(store);
    await store.write(async (tx) => {
      await tx.replace(customers, { ...customer, name: "Other" });
      await tx.replace(shareHolders, { ...shareHolder, name: "Other" });
      await tx.replace(transactions, { ...transaction, status: "COMPLETED" });
      await tx.replace(registrations, { ...registration, failures: 1 });
    });
    expect(readable()).toEqual([]);
    await store.read(async (view) => {
      expect(await view.one(customerById, customer.institutionId, customer.id)).toEqual({
        ...customer,
        name: "Other",
      });
      expect(await view.one(shareHolderById, customer.institutionId, shareHolder.id)).toMatchObject({
        identification: shareHolder.identification,
      });
      expect(await view.one(transactionById, customer.institutionId, transaction.id)).toMatchObject({
        documentJson: transaction.documentJson,
      });
      expect(await registrationOf(view, registration.otpToken)).toEqual({ ...registration, failures: 1 });
      expect(await registrationOf(view, "f".repeat(32))).toBeUndefined();
    });
    await store.close();
    expect(readable()).toEqual([]);
  });

  test("that stay as they were found are not sealed anew by a change beside them", async () => {
    const store = await open(firstKey);
    await fill(store);
    const sealed = (): unknown => {
      const database = new DatabaseSync(file(), { readOnly: true });
      try {
        return database.prepare("SELECT identification FROM share_holders").get()?.["identification"];
      } finally {
        database.close();
      }
    };
    const before = sealed();
    const renamed = { ...shareHolder, name: "Other" };
    await store.write((tx) => tx.replace(shareHolders, renamed, shareHolder));
    expect(sealed()).toBe(before);
    const changed = { ...renamed, identification: { type: "SSN", value: "219-09-9999" } } as const;
    await store.write((tx) => tx.replace(shareHolders, changed, renamed));
    expect(sealed()).not.toBe(before);
    await store.read(async (view) => {
      expect(await view.one(shareHolderById, customer.institutionId, shareHolder.id)).toEqual(changed);
    });
    await store.close();
  });

  test("that were kept as they are, are sealed by the first start with a key, and overwritten", async () => {
    await fillUnsealed();
    expect(readable().toSorted()).toEqual(personal.slice(0, 3).toSorted());
    await expect(open(firstKey, false)).rejects.toThrow(/run `ledger-server migrate`/);
    const store = await open(firstKey);
    expect(readable()).toEqual([]);
    await expectWhole(store);
    await store.close();
    await (await open(firstKey, false)).close();
  });

  test("that are sealed are not read without the key", async () => {
    const store = await open(firstKey);
    await fill(store);
    const reader = await openSqliteReader({ file: file() });
    await expect(
      reader.read((view) => view.one(customerById, customer.institutionId, customer.id)),
    ).rejects.toThrow(/without the seal key/);
    await reader.close();
    await store.close();
  });
});

describe("verification with the key", () => {
  /** The findings about sealed texts after a change behind the store's back, and how many were checked. */
  async function verified(sql: string, given: Sealer | null = firstKey) {
    const store = await open(firstKey);
    await fill(store);
    await store.close();
    tamper(file(), sql);
    const { findings, sealedTexts } = verifySqliteFile(file(), { sealer: () => given ?? undefined });
    const found = findings.filter(({ kind }) => kind === "sealed");
    return {
      sealedTexts,
      found: found.map(({ table, record = "", what }) => `${table} ${record}: ${what}`),
    };
  }

  test("opens every sealed text", async () => {
    // A customer, a shareholder, a party of a transaction, a mail, two answers, a service key.
    expect(await verified("SELECT 1")).toEqual({ sealedTexts: 7, found: [] });
  });

  const changed = (column: string) =>
    `${column} = replace(${column}, 'v2.${firstKey.keyId}.', 'v2.${firstKey.keyId}.AAAA')`;
  test.each([
    [
      "customers",
      changed("identification"),
      "customers 021000021 customer-1: identification does not open with key",
    ],
    [
      "transactions",
      changed("document_json"),
      "transactions 021000021 transaction-1: document_json does not open with key",
    ],
    ["answers", changed("result_json"), "answers h1: result_json does not open with key"],
    ["answers", "result_json = substr(result_json, 2)", "answers h1: result_json is no JSON"],
    ["service_keys", "private_key_sealed = 'plain'", "service_keys k: private_key_sealed is not sealed"],
    ["outbox_mails", changed("message_sealed"), "outbox_mails m1: message_sealed does not open with key"],
  ])("finds a changed text in %s (%s)", async (table, change, expected) => {
    const { found } = await verified(`UPDATE ${table} SET ${change}`);
    expect(found[0]).toContain(expected);
    expect(found.every((text) => text.startsWith(table))).toBe(true);
  });

  test("looks at none without the key", async () => {
    expect(await verified(`UPDATE customers SET ${changed("identification")}`, null)).toEqual({
      sealedTexts: undefined,
      found: [],
    });
  });
});

describe("the key of a database", () => {
  test("is known by its identifier, and another one is refused", async () => {
    await (await open(firstKey)).close();
    for (const migrates of [true, false]) {
      await expect(open(secondKey, migrates)).rejects.toThrow(
        `is sealed with key ${firstKey.keyId}; the key given is ${secondKey.keyId}`,
      );
    }
    await (await open(firstKey, false)).close();
  });

  test("is the one that opens what was sealed before keys had identifiers", async () => {
    await fillUnsealed();
    const sealed = `v1.${firstKey.seal("secret").split(".")[2]}`;
    tamper(
      file(),
      `INSERT INTO subscriptions (id, institution_id, user_name, name, callback_url, events, group_id, secret_sealed,
        enabled, created_at, updated_at, ordered)
      VALUES ('s', '${customer.institutionId}', '${user.userName}', 'n', 'http://x', '[]', '[]', '${sealed}', 1, 1, 1, 0)`,
    );
    await expect(open(secondKey)).rejects.toThrow(/sealed with another key than the one given/);
    const store = await open(firstKey);
    const subscription = await store.read((view) => view.one(subscriptionById, customer.institutionId, "s"));
    expect(firstKey.open(subscription?.secretSealed ?? "")).toBe("secret");
    expect(subscription?.secretSealed).toContain(firstKey.keyId);
    await store.close();
  });
});

describe("a rotation of the key", () => {
  test("seals everything with the new one, which alone opens it then", async () => {
    const store = await open(firstKey);
    await fill(store);
    await store.close();
    expect(rotate()).toMatchObject({ keyId: secondKey.keyId, formerKeyId: firstKey.keyId, texts: 7 });
    await expect(open(firstKey)).rejects.toThrow(`is sealed with key ${secondKey.keyId}`);
    const after = await open(secondKey);
    await expectWhole(after);
    const kept = await after.read((view) => view.one(answerByHash, "h2"));
    expect(secondKey.open(JSON.parse(kept?.resultJson ?? "").sealed)).toBe("answered secret");
    await after.close();
    expect(readable()).toEqual([]);
    expect(readFileSync(file()).includes(firstKey.keyId)).toBe(false);
  });

  test("that is interrupted anywhere is finished by the next run, and nothing is served meanwhile", async () => {
    const store = await open(firstKey);
    await fill(store);
    await store.close();
    for (let calls = 1; ; calls += 1) {
      try {
        rotate(calls);
        break;
      } catch (error) {
        expect(error).toMatchObject({ message: "interrupted" });
      }
      for (const key of [firstKey, secondKey]) {
        await expect(open(key)).rejects.toThrow(/rotate-seal-key|is sealed with key/);
      }
      expect(calls).toBeLessThan(50);
    }
    const after = await open(secondKey);
    await expectWhole(after);
    await after.close();
    expect(rotate()).toMatchObject({ texts: 0 });
  });

  test("needs the key that sealed, and no service that has the file open", async () => {
    const store = await open(firstKey);
    await fill(store);
    expect(() => rotate()).toThrow(/in use by another process/);
    await store.close();
    const both = sealer(second ?? Buffer.alloc(0), third ?? Buffer.alloc(0));
    expect(() =>
      rotateSealKeyOf({
        file: file(),
        both: () => both,
        formerKeyId: sealer(third ?? Buffer.alloc(0)).keyId,
        progress: () => {},
      }),
    ).toThrow(`is sealed with key ${firstKey.keyId}`);
  });
});

function open(key: Sealer, migrate = true) {
  return openSqliteStore({ file: file(), migrate, sealer: () => key });
}

/** Throws at the given call of the progress, as if the process had ended there. */
function rotate(interruptedAt = Infinity) {
  let calls = 0;
  return rotateSealKeyOf({
    file: file(),
    both: () => firstToSecond,
    formerKeyId: firstKey.keyId,
    progress: () => {
      calls += 1;
      if (calls >= interruptedAt) throw new Error("interrupted");
    },
  });
}

type Store = Awaited<ReturnType<typeof open>>;

/** Seven sealed texts. */
async function fill(store: Store): Promise<void> {
  await store.write(async (tx) => {
    await insertParties(tx);
    await tx.insert(shareHolders, shareHolder);
    await tx.insert(transactions, transaction);
    for (let index = 0; index < 5; index += 1) await tx.insert(transactions, transactionWith(`t${index}`));
    await tx.insert(registrations, registration);
    await tx.insert(outboxMails, { ...mail, id: "m1", messageSealed: firstKey.seal("m") });
    await tx.insert(answers, {
      requestHash: "h1",
      resultJson: JSON.stringify(firstKey.seal("a")),
      createdAt: 1,
    });
    const sealed = firstKey.seal("answered secret");
    await tx.insert(answers, {
      requestHash: "h2",
      resultJson: JSON.stringify({ sealed, revision: "1" }),
      createdAt: 1,
    });
    const key = { algorithm: "ES256", publicKeyPem: "p", createdAt: 1 } as const;
    await tx.insert(serviceKeys, { ...key, keyId: "k", privateKeySealed: firstKey.seal("private") });
  });
}

async function expectWhole(store: Store): Promise<void> {
  await store.read(async (view) => {
    expect(await view.one(customerById, customer.institutionId, customer.id)).toEqual(customer);
    expect(await view.one(shareHolderById, customer.institutionId, shareHolder.id)).toEqual(shareHolder);
    expect(await view.one(transactionById, customer.institutionId, transaction.id)).toEqual(transaction);
    expect(await registrationOf(view, registration.otpToken)).toEqual(registration);
  });
}

/** A file in which nothing but handlers' secrets is sealed. */
async function fillUnsealed(): Promise<void> {
  const unsealed = await openSqliteStore({ file: file(), migrate: true });
  await unsealed.write(async (tx) => {
    await insertParties(tx);
    await tx.insert(shareHolders, shareHolder);
    await tx.insert(transactions, transaction);
    await tx.insert(registrations, registration);
  });
  await unsealed.close();
}

/** What is found in the bytes of the database and its log. */
function readable(): readonly string[] {
  const bytes = [file(), `${file()}-wal`]
    .filter((name) => existsSync(name))
    .map((name) => readFileSync(name));
  return personal.filter((text) => bytes.some((content) => content.includes(text)));
}
