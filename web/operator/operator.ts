/** The bank's console: its own pages among those of any application. */
import type { Mail } from "../../generated/operator/client/index.ts";
import { auditPage } from "../console/pages/audit.ts";
import { deliveriesPage } from "../console/pages/deliveries.ts";
import { mailsPageOf } from "../console/pages/mails.ts";
import { overviewPage } from "../console/pages/overview.ts";
import { subscriptionsPage } from "../console/pages/subscriptions.ts";
import { startSite } from "../shared/site.ts";
import { accountsPage } from "./pages/accounts.ts";
import { approvalsPage } from "./pages/approvals.ts";
import { catalogPage } from "./pages/catalog.ts";
import { customersPage } from "./pages/customers.ts";
import { transactionsPage } from "./pages/transactions.ts";
import { usersPage } from "./pages/users.ts";
import { signIn } from "./session.ts";

startSite({
  title: "Operator's console",
  accessMember: "operator",
  signIn,
  pages: [
    overviewPage,
    customersPage,
    usersPage,
    accountsPage,
    transactionsPage,
    catalogPage,
    subscriptionsPage,
    deliveriesPage,
    mailsPageOf<Mail>(({ legalRepId }) => legalRepId),
    approvalsPage,
    auditPage,
  ],
});
