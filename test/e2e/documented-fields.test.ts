import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { documentClaims } from "../contract/document-claims.ts";
import { sectionsOf } from "../contract/document.ts";
import type { FieldClaim } from "../contract/field-claim.ts";
import { contractClient, type ContractClient, type Envelope } from "./contract-client.ts";
import { startServer, type RunningServer } from "./server.ts";

const document = readFileSync(join(import.meta.dirname, "../../docs/interface/ledger-1.0.11.md"), "utf8");
const claims = documentClaims(sectionsOf(document));
const dataDir = mkdtempSync(join(tmpdir(), "ledger-fields-"));
let server: RunningServer;
let client: ContractClient;

beforeAll(async () => {
  server = await startServer(dataDir);
  client = contractClient(server.access.baseUrl, server.access);
});
afterAll(async () => {
  client.close();
  await server.stop();
  rmSync(dataDir, { recursive: true });
});

/** What the answer lacks of its table in the document, or has of another kind. */
function lacking(section: string, answer: Envelope | undefined): readonly string[] {
  const place = `${section} result `;
  const fields = [...claims].filter(([path]) => path.startsWith(place));
  expect(fields.length, `${section} is found in the document`).toBeGreaterThan(0);
  return fields
    .flatMap(([path, claim]) => spellingsOf(path.slice(place.length), claim))
    .filter(([path, claim]) => !isOfKind(claim, valueAt(answer, path.split("."))))
    .map(([path]) => `${section} ${path}`);
}

/** Both names of a field that is sent under two (D-12). */
function spellingsOf(path: string, claim: FieldClaim): readonly (readonly [string, FieldClaim])[] {
  const { alsoSentAs } = claim;
  return [path, ...(alsoSentAs === undefined ? [] : [path.replace(/[^.]+$/, alsoSentAs)])].map((name) => [
    name,
    claim,
  ]);
}

/** Of an array its first item speaks for all. */
function valueAt(value: unknown, path: readonly string[]): unknown {
  const [name, ...rest] = path;
  if (name === undefined) return value;
  const object = Array.isArray(value) ? value[0] : value;
  if (typeof object !== "object" || object === null) return undefined;
  return valueAt(new Map<string, unknown>(Object.entries(object)).get(name), rest);
}

function isOfKind({ kind = "string", constant, values }: FieldClaim, value: unknown): boolean {
  if (kind === "array") return Array.isArray(value);
  if (constant !== undefined && value !== constant) return false;
  if (values !== undefined && !values.includes(String(value))) return false;
  return typeof value === (kind === "enum" ? "string" : kind);
}

test("the demo's objects show every field that the document lists for them", async () => {
  const { accountId, legalRepId, beneficiaryId, businessCustomerId, shareHolderId, referenceId, sourceId } =
    server.access.samples;
  const result = async (method: string, payload: unknown) => (await client.call(method, payload)).result;
  const customer = { ID: businessCustomerId, businessNameLegal: "Northwind Traders LLC" };
  const shareHolder = {
    Id: shareHolderId,
    customerId: businessCustomerId,
    name: "Tomas Berg",
    identification: { type: "SSN", value: "900112233" },
    contact: { phoneNumber: "+14155550133" },
    address: { country: "US", addressLine1: "12 Pine Street", city: "Oakland", state: "CA", zip: "94607" },
  };
  expect([
    ...lacking(
      "4.1",
      await result("AccountService.ListBeneficiary", { ID: accountId, legalrepId: legalRepId }),
    ),
    ...lacking("4.2", await result("AccountService.GetBeneficiary", { ID: beneficiaryId })),
    ...lacking("4.3", await result("CustomerService.UpdateCustomer", customer)),
    ...lacking("4.5", await result("AccountService.GetAccount", { ID: accountId })),
    ...lacking("4.6", await result("CustomerService.UpdateShareHolder", shareHolder)),
    ...lacking("4.11", await result("TransactionService.GetTransactionsByRef", { ReferenceId: referenceId })),
    ...lacking("4.12", await result("AccountService.ListAccounts", { PageNumber: 1 })),
    ...lacking("4.16", await client.flat({ id: sourceId })),
  ]).toEqual([]);
});

test("an account that is opened under no pool shows every field, too", async () => {
  const { businessCustomerId, legalRepId } = server.access.samples;
  const opened = await client.call("CustomerService.AddAccount", {
    customerID: businessCustomerId,
    name: "Second account",
    accountType: "SAVINGS",
    currency: "EUR",
    legalReps: [{ ID: legalRepId, name: "Johanna Lindqvist" }],
  });
  expect(lacking("4.7", opened.result)).toEqual([]);
  const read = await client.call("AccountService.GetAccount", { ID: opened.result?.["ID"] });
  expect(lacking("4.5", read.result)).toEqual([]);
});
