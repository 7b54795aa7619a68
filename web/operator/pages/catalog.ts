import type { GetBeneficiaryResult } from "../../../generated/operator/client/index.ts";
import { el, show, type Child } from "../../shared/dom.ts";
import { titled, linkTo, pagedList, section } from "../../shared/page.ts";
import { seen, seenIfAny } from "../../shared/reasons.ts";
import { actions, badge, copyable, facts, table, time } from "../../shared/view.ts";
import { actionButton, type BankContext, type BankPage } from "../session.ts";

/** What accounts are mapped to, and where events come from. */
export const catalogPage: BankPage = {
  name: "catalog",
  title: "Categories and sources",
  operation: () => "ListCategories",
  show(context) {
    show(context.main, el("h1", {}, "Categories and sources"), categoriesIn(context), sourcesIn(context));
  },
};

function categoriesIn({ session, refresh }: BankContext): HTMLElement {
  const createCategory = actionButton(session, "CreateCategory", {
    label: "Define a category",
    done: ({ name }) => `The category ${name} is defined.`,
    refresh,
  });
  const list = pagedList(
    (place) => session.client.listCategories(place),
    ({ categories }) => categories,
    (rows) =>
      table(
        "Categories",
        [
          { title: "Name", of: ({ name }) => seen(name) },
          { title: "What for", of: ({ description }) => seenIfAny(description) },
          { title: "Since", of: ({ createdDate }) => time(createdDate) },
          { title: "Identifier", of: ({ categoryId }) => copyable(categoryId) },
        ],
        rows,
        "There is no category yet.",
      ),
  );
  return titled("Categories", list, actions(createCategory));
}

function sourcesIn({ session, refresh }: BankContext): HTMLElement {
  const createSource = actionButton(session, "CreateSource", {
    label: "Define a source",
    done: ({ source }) => `The source ${source} is defined.`,
    refresh,
  });
  const list = pagedList(
    (place) => session.client.listSources(place),
    ({ sources }) => sources,
    (rows) =>
      table(
        "Sources",
        [
          { title: "Source", of: ({ source }) => seen(source) },
          {
            title: "Events",
            of: ({ events }) =>
              el(
                "ul",
                { class: "changes" },
                events.map(({ name, description }) => el("li", {}, `${name}: `, seen(description))),
              ),
          },
          { title: "Keys", of: ({ keyIds }) => keyIds.length, isNumber: true },
          { title: "Since", of: ({ createdDate }) => time(createdDate) },
          { title: "Identifier", of: ({ sourceId }) => copyable(sourceId) },
        ],
        rows,
        "There is no source yet.",
      ),
  );
  return titled("Sources", list, actions(createSource));
}

/** The beneficiaries of an account, and a button that adds one. */
export function beneficiariesOf(
  { session, refresh }: BankContext,
  account: { readonly number: string; readonly id: string },
): Child {
  const add = actionButton(session, "AddBeneficiary", {
    label: "Add a beneficiary",
    fixed: { accountId: account.id },
    done: ({ beneficiaryId }) => `The beneficiary ${beneficiaryId} was added.`,
    refresh,
  });
  const accountNumber = account.number;
  return [
    pagedList(
      (place) => session.client.listBeneficiaries({ accountNumber, ...place }),
      ({ beneficiaries }) => beneficiaries,
      (rows) =>
        table(
          "Beneficiaries",
          [
            {
              title: "Name",
              of: ({ beneficiaryId, firstName, lastName }) =>
                linkTo(
                  ["accounts", accountNumber, "beneficiaries", beneficiaryId],
                  `${firstName} ${lastName}`,
                ),
            },
            { title: "Kind", of: ({ type }) => seen(type) },
            { title: "Account", of: (row) => seen(row.accountNumber) },
            { title: "Bank", of: ({ bankName }) => seenIfAny(bankName) },
            { title: "Status", of: ({ status }) => badge(status) },
            { title: "Since", of: ({ createdDate }) => time(createdDate) },
          ],
          rows,
          "The account pays nobody regularly.",
        ),
    ),
    actions(add),
  ];
}

export function showBeneficiary(context: BankContext, accountNumber: string, beneficiaryId: string): void {
  const { session, main } = context;
  show(
    main,
    el("h1", {}, "Beneficiary"),
    section(
      beneficiaryId,
      async () => (await session.client.getBeneficiary({ beneficiaryId })).beneficiary,
      (beneficiary) => beneficiaryDetails(context, beneficiary),
    ),
    el("p", {}, linkTo(["accounts", accountNumber], "The account that pays")),
    el("p", {}, linkTo(["audit", "beneficiary", beneficiaryId], "Audit of this beneficiary")),
  );
}

function beneficiaryDetails(
  { session, refresh }: BankContext,
  beneficiary: GetBeneficiaryResult["beneficiary"],
): Child {
  const { bankDetail, bankAddress, contact, status } = beneficiary;
  const { idType, ID, bankName } = bankDetail;
  const { line1, zipCode, city, country } = bankAddress;
  return [
    facts([
      ["Status", badge(status)],
      ["Name", seen(`${beneficiary.firstName} ${beneficiary.lastName}`)],
      ["Kind", seen(beneficiary.type)],
      ["Account", seen(`${beneficiary.accountNumber} (${beneficiary.accountType})`)],
      ["Bank", textOfAll(" ", bankName, idType, ID)],
      ["Bank's address", textOfAll(", ", line1, zipCode, city, country)],
      ["Channel", beneficiary.channel],
      ["Mail", seenIfAny(contact.email)],
      ["Telephone", seenIfAny(contact.phoneNumber)],
      ["Added by", seen(beneficiary.createdBy)],
      ["Representative", copyable(beneficiary.legalrepId)],
      ["Since", time(beneficiary.createdDate)],
      ["Changed", time(beneficiary.updatedDate)],
    ]),
    actions(
      actionButton(session, "SetBeneficiaryStatus", {
        label: status === "ACTIVE" ? "Disable" : "Enable",
        fixed: { beneficiaryId: beneficiary.ID, status: status === "ACTIVE" ? "DISABLED" : "ACTIVE" },
        done: (changed) => `The beneficiary is ${changed.status} now.`,
        refresh,
      }),
    ),
  ];
}

function textOfAll(separator: string, ...parts: readonly (string | undefined)[]): string {
  return parts.flatMap((part) => seenIfAny(part) ?? []).join(separator);
}
