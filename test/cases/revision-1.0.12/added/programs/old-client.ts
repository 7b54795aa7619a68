/** What a program does that was written for revision 1.0.11 and has not been touched since: all of its operations. */
import { deepStrictEqual, ok, strictEqual } from "node:assert";
import { type ClientOptions, LedgerClient, registerSigner } from "../published-client-1.0.11/index.ts";
import { OperatorClient } from "../generated/operator/client/index.ts";
import {
  access,
  mails,
  optionsOf,
  passwordMailedAfter,
  refusalOf,
  sample,
  startReceiver,
  withoutRevision,
} from "./bank.ts";

const operator = new OperatorClient(optionsOf(access.operator, access.operatorUrl));
const own = optionsOf(access, access.baseUrl);
const [accountId, accountNumber] = [sample("accountId"), sample("accountNumber")];

const address = { country: "US", addressLine1: "12 Pine Street", city: "Oakland", state: "CA", zip: "94607" };

for (const options of [own, withoutRevision(own)]) await day(options);

async function day(options: ClientOptions): Promise<void> {
  const client = new LedgerClient(options);
  const legalRepId = sample("legalRepId");
  const { beneficiarys } = await client.account.listBeneficiary({ ID: accountId, legalrepId: legalRepId });
  ok(beneficiarys.some(({ ID }) => ID === sample("beneficiaryId")));
  strictEqual((await client.account.getBeneficiary({ ID: sample("beneficiaryId") })).accountId, accountId);

  const customer = await client.customer.update({
    ID: sample("businessCustomerId"),
    businessNameLegal: "Northwind Traders",
    contact: { email: "office@northwind.example" },
  });
  strictEqual(customer.status, "ACTIVE");
  for (const Status of ["INACTIVE", "ACTIVE"] as const) {
    strictEqual((await client.customer.updateLegalRepStatus({ ID: legalRepId, Status })).status, Status);
  }
  const { account } = await client.account.get({ ID: accountId });
  strictEqual(account.number, accountNumber);
  const shareHolder = await client.customer.updateShareHolder({
    Id: sample("shareHolderId"),
    customerId: sample("businessCustomerId"),
    name: "Tomas Berg",
    identification: { type: "SSN", value: "900112233" },
    contact: { phoneNumber: "+14155550199" },
    address,
  });
  strictEqual(shareHolder.Status, "ENABLED");
  deepStrictEqual(
    Object.keys(shareHolder).filter((name) => name !== "EmailID"),
    ["Id", "CustomerId", "Name", "Status"],
  );

  const business = await client.customer.addAccount({
    customerID: sample("businessCustomerId"),
    name: "Payroll",
    accountType: "CHECKING",
    legalReps: [{ ID: legalRepId, name: "Johanna Lindqvist" }],
    currency: "EUR",
  });
  const consumer = await client.customer.addAccount({
    customerID: sample("consumerCustomerId"),
    name: "Savings",
    accountType: "SAVINGS",
    currency: "USD",
  });
  ok(business.accountNumber !== consumer.accountNumber);

  const receiver = await startReceiver();
  const { subscriptionId } = await client.createSubscription({
    name: "Old desk",
    callbackUrl: receiver.url,
    events: ["Account.UPDATE"],
    groupId: [consumer.accountNumber],
  });
  ok(subscriptionId !== "");
  const change = async (status: "SUSPENDED" | "BLOCKED" | "CURTAILED") =>
    (await client.account.updateStatus({ accountNumber: consumer.accountNumber, status })).Status;
  strictEqual(await change("SUSPENDED"), "SUSPENDED");
  strictEqual((await receiver.until(1))[0]?.payload.status, "SUSPENDED");
  receiver.close();
  // What 1.0.12 no longer takes is refused in a way that 1.0.11 knows.
  strictEqual(await refusalOf(change("BLOCKED")), "BAD_INPUT");
  const twoLines = { ...address, addressLine1: "12 Pine Street\u2028Back door" };
  const update = client.customer.update({
    ID: sample("businessCustomerId"),
    businessNameLegal: "Northwind Traders",
    address: twoLines,
  });
  strictEqual(await refusalOf(update), "BAD_INPUT");
  strictEqual(
    (await client.account.updateStatus({ accountNumber: consumer.accountNumber, status: "CLOSED" })).Status,
    "CLOSED",
  );
  strictEqual(await refusalOf(change("SUSPENDED")), "CONFLICT");

  const { Message } = await client.account.updateCategory({
    AccountNumber: business.accountNumber,
    AccountCategory: sample("accountCategory"),
  });
  ok(Message !== "");
  const ReferenceId = sample("referenceId");
  strictEqual((await client.transaction.getByRef({ ReferenceId })).ReferenceId, ReferenceId);
  const { accounts } = await client.account.list({ filter: `number = ${business.accountNumber}` });
  strictEqual(accounts[0]?.id, business.ID);
  const { ID } = await client.customer.createLegalRepLogin({ legalrepID: legalRepId });
  strictEqual(ID, legalRepId);
  const { id } = await client.getSource({ source: sample("source") });
  strictEqual((await client.getSource({ id })).source, sample("source"));

  const before = mails();
  const { OtpToken } = await operator.startDeviceRegistration({ userName: access.userName });
  const Otp = await passwordMailedAfter(before);
  const signer = await registerSigner(options, { UserName: access.userName, OtpToken, Otp });
  strictEqual(
    (await new LedgerClient({ ...options, signer }).account.get({ ID: accountId })).account.id,
    accountId,
  );
}
