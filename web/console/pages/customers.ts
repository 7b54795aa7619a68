import { el, show } from "../../shared/dom.ts";
import { linkTo, pagedList } from "../../shared/page.ts";
import { seen } from "../../shared/reasons.ts";
import { badge, table, time } from "../../shared/view.ts";
import type { ConsolePage } from "../page.ts";
import { actionButton } from "../session.ts";

export const customersPage: ConsolePage = {
  name: "customers",
  title: "Customers",
  operation: () => "ListCustomers",
  show({ session, main, refresh }) {
    const create = actionButton(session, "CreateCustomer", {
      label: "Create a customer",
      done: ({ customerId }) => `The customer ${customerId} was created.`,
      refresh,
    });
    const addLegalRep = (customerId: string) =>
      actionButton(session, "AddLegalRep", {
        label: "Add a representative",
        text: `For the customer ${customerId}. The representative is active at once.`,
        fixed: { customerId },
        done: ({ legalRepId }) => `The representative ${legalRepId} was added.`,
        refresh,
      });
    const addShareHolder = (customerId: string) =>
      actionButton(session, "AddShareHolder", {
        label: "Add a shareholder",
        text: `For the customer ${customerId}.`,
        fixed: { customerId },
        done: ({ shareHolderId }) => `The shareholder ${shareHolderId} was added.`,
        refresh,
      });
    const list = pagedList(
      async (after) => {
        const { customers, next } = await session.client.listCustomers({
          pageSize: 50,
          ...(after !== undefined && { after }),
        });
        return { rows: customers, next };
      },
      (customers) =>
        table(
          "Customers",
          [
            { title: "Name", of: ({ name }) => seen(name) },
            { title: "Kind", of: ({ type }) => type },
            { title: "Status", of: ({ status }) => badge(status) },
            { title: "Identifier", of: ({ customerId }) => el("code", {}, customerId) },
            { title: "Since", of: ({ createdDate }) => time(createdDate) },
            { title: "History", of: ({ customerId }) => linkTo(["audit", "customer", customerId], "Audit") },
            {
              title: "Actions",
              of: ({ customerId, type }) =>
                type === "BUSINESS" ? [addLegalRep(customerId), addShareHolder(customerId)] : undefined,
            },
          ],
          customers,
          "There is no customer yet.",
        ),
    );
    show(main, el("h1", {}, "Customers"), el("p", { class: "actions" }, create), list);
  },
};
