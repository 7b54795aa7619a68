/** What happens before the upgrade, with the client and the server of 1.0.11: what it leaves behind is there after it. */
import { strictEqual } from "node:assert";
import { LedgerClient } from "../published-client-1.0.11/index.ts";
import { access, optionsOf, sample } from "./bank.ts";

const client = new LedgerClient(optionsOf(access, access.baseUrl));
const customer = await client.customer.update({
  ID: sample("businessCustomerId"),
  businessNameLegal: "Northwind Traders",
  address: { addressLine1: "400 Market Street\u2028Floor 2" },
});
strictEqual(customer.address.addressLine1, "400 Market Street\u2028Floor 2");
const { Status } = await client.account.updateStatus({
  accountNumber: sample("accountNumber"),
  status: "BLOCKED",
});
strictEqual(Status, "BLOCKED");
