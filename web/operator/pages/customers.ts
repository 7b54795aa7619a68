import type {
  Customer,
  CustomerSummary,
  ShareHolderDetails,
} from "../../../generated/operator/client/index.ts";
import { el, show, type Child } from "../../shared/dom.ts";
import { titled, linkTo, pagedList, section } from "../../shared/page.ts";
import { seen, seenIfAny } from "../../shared/reasons.ts";
import { actions, badge, copyable, facts, money, table, time } from "../../shared/view.ts";
import { actionButton, type BankContext, type BankPage } from "../session.ts";
import { accountTable } from "./accounts.ts";
import { entryTable } from "../../console/pages/audit.ts";
import { subscriptionTable } from "../../console/pages/subscriptions.ts";
import { newCredential, userTable } from "../../console/pages/users.ts";
import { customersOfUser, inviteText, newInvitation } from "./users.ts";

export const customersPage: BankPage = {
  name: "customers",
  title: "Customers",
  operation: ([customerId, kind]) => {
    if (customerId === undefined) return "ListCustomers";
    return kind === "shareholders" ? "GetShareHolder" : "GetCustomer";
  },
  show(context) {
    const [customerId, kind, id] = context.args;
    if (customerId === undefined) showList(context);
    else if (kind === "shareholders" && id !== undefined) showShareHolder(context, id);
    else showCustomer(context, customerId);
  },
};

function showList({ session, main, refresh }: BankContext): void {
  const create = actionButton(session, "CreateCustomer", {
    label: "Create a customer",
    isPrimary: true,
    done: ({ customerId }) => ["The customer was created: ", linkTo(["customers", customerId])],
    refresh,
  });
  const list = pagedList(
    (place) => session.client.listCustomers({ pageSize: 50, ...place }),
    ({ customers }) => customers,
    (customers) => customerTable(customers),
  );
  show(main, el("h1", {}, "Customers"), actions(create), list);
}

function customerTable(customers: readonly CustomerSummary[]): Child {
  return table(
    "Customers",
    [
      { title: "Name", of: ({ customerId, name }) => linkTo(["customers", customerId], name) },
      { title: "Kind", of: ({ type }) => type },
      { title: "Status", of: ({ status }) => badge(status) },
      { title: "Since", of: ({ createdDate }) => time(createdDate) },
      { title: "Identifier", of: ({ customerId }) => copyable(customerId) },
    ],
    customers,
    "There is no customer yet.",
  );
}

/** All there is of a customer on one page: what the service keeps of it, its people, money and access. */
function showCustomer(context: BankContext, customerId: string): void {
  const { session, main } = context;
  const title = el("h1", {}, "Customer");
  const people = el("div");
  show(
    main,
    title,
    section(
      "State",
      async () => (await session.client.getCustomer({ customerId })).customer,
      (customer) => {
        show(title, seen(customer.name));
        if (customer.type === "BUSINESS" && people.childElementCount === 0)
          show(people, representativesOf(context, customerId), shareHoldersOf(context, customerId));
        return customerFacts(customer);
      },
    ),
    people,
    section(
      "Accounts",
      async () =>
        (await session.client.listAccounts({ filter: `customerID = "${customerId}"`, pageSize: 100 }))
          .accounts,
      (accounts) => accountTable(accounts, "The customer has no account yet."),
    ),
    accessOf(context, customerId),
    titled(
      "Subscriptions",
      pagedList(
        (place) => session.client.listSubscriptions({ customerId, ...place }),
        ({ subscriptions }) => subscriptions,
        (rows) => subscriptionTable(rows, "Nobody has subscribed to events of this customer's accounts."),
      ),
    ),
    section(
      "Audit",
      async () =>
        (await session.client.listAudit({ subject: "customer", subjectId: customerId, pageSize: 10 }))
          .entries,
      (entries) => [
        entryTable(entries),
        el("p", {}, linkTo(["audit", "customer", customerId], "Audit of this customer")),
      ],
    ),
  );
}

function customerFacts(customer: Customer): Child {
  const { contact, address, monthlyProjection } = customer;
  const { amount, currency = "" } = monthlyProjection ?? {};
  const projection = amount === undefined ? undefined : money(amount, currency);
  return facts([
    ["Kind", customer.type],
    ["Status", badge(customer.status)],
    ["Identifier", copyable(customer.customerId)],
    ["Established", dateText(customer.dateEstablished)],
    ["Born", dateText(customer.dateOfBirth)],
    ["Business", seenIfAny(customer.generalBusinessDescription)],
    ["Expected a month", projection],
    ["Identification", customer.identification.map(({ type, value }) => `${type} ${value}`).join(", ")],
    ["Mail", seenIfAny(contact.email)],
    ["Telephone", seenIfAny(contact.phoneNumber)],
    ["Address", addressText(address)],
    ["Since", time(customer.createdDate)],
    ["Changed", time(customer.updatedDate)],
  ]);
}

function representativesOf({ session, refresh }: BankContext, customerId: string): Child {
  const addRepresentative = actionButton(session, "AddLegalRep", {
    label: "Add a representative",
    text: "The representative is active at once.",
    fixed: { customerId },
    done: ({ legalRepId }) => `The representative ${legalRepId} was added.`,
    refresh,
  });
  return titled(
    "Representatives",
    pagedList(
      (place) => session.client.listLegalReps({ customerId, ...place }),
      ({ legalReps }) => legalReps,
      (rows) =>
        table(
          "Representatives",
          [
            { title: "Name", of: ({ name }) => seen(name) },
            { title: "Mail", of: ({ email }) => seen(email) },
            { title: "Telephone", of: ({ phoneNumber }) => seenIfAny(phoneNumber) },
            { title: "Status", of: ({ status }) => badge(status) },
            { title: "Since", of: ({ createdDate }) => time(createdDate) },
            { title: "Identifier", of: ({ legalRepId }) => copyable(legalRepId) },
            {
              title: "History",
              of: ({ legalRepId }) => linkTo(["audit", "legal-rep", legalRepId], "Audit"),
            },
          ],
          rows,
          "Nobody represents the customer yet.",
        ),
    ),
    actions(addRepresentative),
  );
}

function shareHoldersOf({ session, refresh }: BankContext, customerId: string): Child {
  const addShareHolder = actionButton(session, "AddShareHolder", {
    label: "Add a shareholder",
    fixed: { customerId },
    done: ({ shareHolderId }) => `The shareholder ${shareHolderId} was added.`,
    refresh,
  });
  return titled(
    "Shareholders",
    pagedList(
      (place) => session.client.listShareHolders({ customerId, ...place }),
      ({ shareHolders }) => shareHolders,
      (rows) =>
        table(
          "Shareholders",
          [
            {
              title: "Name",
              of: ({ shareHolderId, name }) =>
                linkTo(["customers", customerId, "shareholders", shareHolderId], name),
            },
            { title: "Owns", of: ({ ownershipPercent }) => percentText(ownershipPercent), isNumber: true },
            { title: "Status", of: ({ status }) => badge(status) },
            { title: "Since", of: ({ createdDate }) => time(createdDate) },
          ],
          rows,
          "No shareholder is known.",
        ),
    ),
    actions(addShareHolder),
  );
}

/** The users who are bound to the customer. */
function accessOf({ session, refresh }: BankContext, customerId: string): Child {
  const issue = actionButton(session, "IssueCredential", {
    label: "Issue a credential",
    text: "Makes a user who sees this customer alone, and a first API key.",
    fixed: { customerIds: [customerId] },
    done: newCredential,
    refresh,
  });
  const invite = actionButton(session, "InviteUser", {
    label: "Invite a partner",
    text: `${inviteText} The user sees this customer alone.`,
    fixed: { customerIds: [customerId] },
    done: newInvitation,
    refresh,
  });
  return titled(
    "Users and keys",
    pagedList(
      (place) => session.client.listUsers({ customerId, ...place }),
      ({ users }) => users,
      (users) => userTable(users, customersOfUser, "No user is bound to this customer."),
    ),
    actions(issue, invite),
  );
}

function showShareHolder({ session, main, args }: BankContext, shareHolderId: string): void {
  const title = el("h1", {}, "Shareholder");
  const [customerId = ""] = args;
  show(
    main,
    title,
    section(
      "State",
      async () => (await session.client.getShareHolder({ shareHolderId })).shareHolder,
      (shareHolder) => {
        show(title, seen(shareHolder.name));
        return shareHolderFacts(shareHolder);
      },
    ),
    el("p", {}, linkTo(["customers", customerId], "The customer")),
    el("p", {}, linkTo(["audit", "share-holder", shareHolderId], "Audit of this shareholder")),
  );
}

function shareHolderFacts(shareHolder: ShareHolderDetails): Child {
  const { identification, contact, address } = shareHolder;
  return facts([
    ["Status", badge(shareHolder.status)],
    ["Owns", percentText(shareHolder.ownershipPercent)],
    ["Born", dateText(shareHolder.dateOfBirth)],
    ["Identification", `${identification.type} ${identification.value}`],
    ["Mail", seenIfAny(contact.email)],
    ["Telephone", seen(contact.phoneNumber)],
    ["Address", addressText(address)],
    ["Since", time(shareHolder.createdDate)],
    ["Changed", time(shareHolder.updatedDate)],
    ["Identifier", copyable(shareHolder.shareHolderId)],
  ]);
}

function percentText(percent: string | undefined): Child {
  return percent === undefined ? undefined : `${percent} %`;
}

/** A date of eight digits, as `2011-04-05`. */
function dateText(date: string | undefined): string | undefined {
  return date?.replace(/^(\d{4})(\d\d)(\d\d)$/, "$1-$2-$3");
}

function addressText(address: Readonly<Partial<Record<AddressPart, string>>>): string {
  const parts: readonly AddressPart[] = ["addressLine1", "addressLine2", "city", "state", "zip", "country"];
  return parts.flatMap((part) => seenIfAny(address[part]) ?? []).join(", ");
}

type AddressPart = "addressLine1" | "addressLine2" | "city" | "state" | "zip" | "country";
