/** What a program does that was written for revision 1.0.12: all of its operations. */
import { deepStrictEqual, ok, strictEqual } from "node:assert";
import { LedgerClient, registerSigner } from "../generated/ledger/client/index.ts";
import { access, mails, optionsOf, passwordMailedAfter, refusalOf, sample, startReceiver } from "./bank.ts";

const options = optionsOf(access, access.baseUrl);
const client = new LedgerClient(options);
const [accountId, accountNumber] = [sample("accountId"), sample("accountNumber")];
const customerId = sample("businessCustomerId");
const address = { country: "US", addressLine1: "9 Elm Street", city: "Oakland", state: "CA", zip: "94607" };
const person = {
  identification: { type: "SSN", value: "900445566" },
  contact: { email: "a.benedetti@northwind.example", phoneNumber: "+14155550137" },
  address,
} as const;

// A device registers itself, and signs all that follows: no operator takes part.
const before = mails();
const { OtpToken } = await client.key.initiateRegisterDevice({});
const Otp = await passwordMailedAfter(before);
const signer = await registerSigner(options, { UserName: access.userName, OtpToken, Otp });
const device = new LedgerClient({ ...options, signer });
strictEqual(
  await refusalOf(registerSigner(options, { UserName: access.userName, OtpToken, Otp })),
  "INVALID_OTP",
);

const added = await device.customer.addShareHolder({ customerId, name: "Arturo Benedetti", ...person });
strictEqual(added.Status, "ENABLED");
const updated = await device.customer.updateShareHolder({
  Id: added.Id,
  customerId,
  name: "Arturo Benedetti",
  ...person,
  Status: "DISABLED",
});
deepStrictEqual(updated, { ...added, Status: "DISABLED" });
strictEqual(
  await refusalOf(device.customer.addShareHolder({ customerId: "nope", name: "N", ...person })),
  "NOT_FOUND_CUSTOMER",
);
const twoLines = { ...address, addressLine1: "9 Elm Street\u2028Back door" };
strictEqual(
  await refusalOf(device.customer.addShareHolder({ customerId, name: "N", ...person, address: twoLines })),
  "BAD_INPUT",
);
// What was stored before is there: the street in one line now, and a status that can no longer be asked for.
const customer = await device.customer.update({ ID: customerId, businessNameLegal: "Northwind Traders" });
strictEqual(customer.address.addressLine1, "400 Market Street Floor 2");
strictEqual((await device.account.get({ ID: accountId })).account.status, "BLOCKED");
strictEqual((await device.account.updateStatus({ accountNumber, status: "ACTIVE" })).Status, "ACTIVE");

const { transactions } = await device.transaction.list({ accountNumber });
ok(transactions.some(({ ReferenceId }) => ReferenceId === sample("referenceId")));
const onePage = await device.transaction.list({ accountNumber, page: 2, size: 1 });
deepStrictEqual(onePage.transactions, transactions.slice(1, 2));
const all = [];
for await (const each of device.transactions.all({ accountNumber, pageSize: 1 })) all.push(each);
deepStrictEqual(all, transactions);
strictEqual(await refusalOf(device.transaction.list({ accountNumber: "nope" })), "NOT_FOUND_ACCOUNT");

const business = await device.customer.addAccount({
  customerID: customerId,
  name: "Payroll",
  accountType: "CHECKING",
  currency: "EUR",
});
const consumer = await device.customer.addAccount({
  customerID: sample("consumerCustomerId"),
  name: "Savings",
  accountType: "SAVINGS",
  currency: "USD",
});
const receiver = await startReceiver();
const { subscriptionId } = await device.createSubscription({
  name: "New desk",
  callbackUrl: receiver.url,
  events: ["Account.UPDATE"],
  groupId: [business.accountNumber, consumer.accountNumber],
});
const listed = async () =>
  (await device.listSubscriptions({ groupId: business.accountNumber })).subscriptions;
deepStrictEqual(
  (await listed()).map(({ id, status }) => [id, status]),
  [[subscriptionId, "ENABLED"]],
);
const change = async (status: "ACTIVE" | "DORMANT" | "SUSPENDED" | "CLOSED") =>
  (await device.account.updateStatus({ accountNumber: business.accountNumber, status })).Status;
strictEqual(await change("SUSPENDED"), "SUSPENDED");
strictEqual((await receiver.until(1))[0]?.payload.status, "SUSPENDED");
const { subscription } = await device.updateSubscription({ id: subscriptionId, status: "DISABLED" });
deepStrictEqual([subscription], await listed());
strictEqual(subscription.status, "DISABLED");
// Nobody is told of this one.
strictEqual(await change("DORMANT"), "DORMANT");
await device.updateSubscription({ id: subscriptionId, status: "ENABLED" });
strictEqual(await change("CLOSED"), "CLOSED");
strictEqual((await receiver.until(2))[1]?.payload.status, "CLOSED");
receiver.close();
// Closed is closed, and there are four statuses to ask for.
strictEqual(await change("CLOSED"), "CLOSED");
strictEqual(await refusalOf(change("ACTIVE")), "CONFLICT");
// @ts-expect-error -- BLOCKED is no longer one of them
strictEqual(await refusalOf(change("BLOCKED")), "BAD_INPUT");
strictEqual(
  await refusalOf(device.updateSubscription({ id: "nope", status: "ENABLED" })),
  "NOT_FOUND_SUBSCRIPTION",
);
strictEqual(await refusalOf(device.listSubscriptions({ groupId: "nope" })), "NOT_FOUND_ACCOUNT");

// And all that 1.0.11 had.
const legalRepId = sample("legalRepId");
const { beneficiarys } = await device.account.listBeneficiary({ ID: accountId, legalrepId: legalRepId });
ok(beneficiarys.some(({ ID }) => ID === sample("beneficiaryId")));
strictEqual((await device.account.getBeneficiary({ ID: sample("beneficiaryId") })).accountId, accountId);
strictEqual(
  (await device.customer.updateLegalRepStatus({ ID: legalRepId, Status: "ACTIVE" })).status,
  "ACTIVE",
);
strictEqual((await device.account.get({ ID: accountId })).account.number, accountNumber);
await device.account.updateCategory({
  AccountNumber: consumer.accountNumber,
  AccountCategory: sample("accountCategory"),
});
const ReferenceId = sample("referenceId");
strictEqual((await device.transaction.getByRef({ ReferenceId })).ReferenceId, ReferenceId);
const { accounts } = await device.account.list({ filter: `number = ${consumer.accountNumber}` });
strictEqual(accounts[0]?.id, consumer.ID);
strictEqual((await device.customer.createLegalRepLogin({ legalrepID: legalRepId })).ID, legalRepId);
const { id } = await device.getSource({ source: sample("source") });
strictEqual((await device.getSource({ id })).source, sample("source"));
