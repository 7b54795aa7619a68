import type { AccountSummary } from "../../../generated/partner/client/index.ts";
import { el, show, type Child } from "../../shared/dom.ts";
import { isObject, type JsonObject } from "../../shared/json.ts";
import { pagedList } from "../../shared/page.ts";
import { badge, copyable, money, table } from "../../shared/view.ts";
import type { PartnerPage, Session } from "../session.ts";

const pageSize = 50;

export const accountsPage: PartnerPage = {
  name: "accounts",
  title: "Accounts",
  operation: () => "ListAccounts",
  show({ session, main }) {
    const list = pagedList(
      async ({ after = "1" }) => {
        const { accounts } = await session.client.listAccounts({ pageNumber: Number(after), pageSize });
        return { accounts, next: accounts.length < pageSize ? undefined : String(Number(after) + 1) };
      },
      ({ accounts }) => accounts,
      accountTable,
    );
    show(main, el("h1", {}, "Accounts"), list);
  },
};

function accountTable(accounts: readonly AccountSummary[]): Child {
  return table(
    "Your accounts, the oldest first",
    [
      { title: "Name", of: ({ name }) => name },
      { title: "Number", of: ({ number }) => copyable(number) },
      { title: "State", of: ({ status }) => badge(status) },
      { title: "Kind", of: ({ accountType }) => accountType },
      { title: "Customer", of: ({ customerName }) => customerName },
      { title: "Balance", of: ({ balance, currency }) => money(balance, currency), isNumber: true },
    ],
    accounts,
    "You see no account.",
  );
}

/** Of more accounts than these, numbers are written one by one. */
const choicesMax = 40;

/** The schema of a payload in which the accounts of `groupId` are chosen by name, if there are few. */
export function withAccounts({ client, scopes }: Session): (schema: JsonObject) => Promise<JsonObject> {
  return async (schema) => {
    const mayList = scopes.includes("*") || scopes.includes("ListAccounts");
    const { accounts } = mayList ? await client.listAccounts({ pageSize: choicesMax + 1 }) : { accounts: [] };
    if (accounts.length === 0 || accounts.length > choicesMax) return schema;
    const byName = accounts.toSorted((a, b) => a.name.localeCompare(b.name));
    const items = {
      type: "string",
      enum: byName.map(({ number }) => number),
      "x-labels": Object.fromEntries(accounts.map(({ name, number }) => [number, `${name} · ${number}`])),
    };
    const own: JsonObject = { ...propertyOf(schema, "groupId"), items };
    return { ...schema, properties: { ...propertiesOf(schema), groupId: own } };
  };
}

function propertiesOf({ properties }: JsonObject): JsonObject {
  return isObject(properties) ? properties : {};
}

function propertyOf(schema: JsonObject, name: string): JsonObject {
  const property = propertiesOf(schema)[name];
  return isObject(property) ? property : {};
}
