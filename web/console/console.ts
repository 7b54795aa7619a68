/** The operator's console: signs the operator in, then shows the page that the address names. */
import { startSite } from "../shared/site.ts";
import { accountsPage } from "./pages/accounts.ts";
import { approvalsPage } from "./pages/approvals.ts";
import { auditPage } from "./pages/audit.ts";
import { catalogPage } from "./pages/catalog.ts";
import { customersPage } from "./pages/customers.ts";
import { deliveriesPage } from "./pages/deliveries.ts";
import { mailsPage } from "./pages/mails.ts";
import { overviewPage } from "./pages/overview.ts";
import { subscriptionsPage } from "./pages/subscriptions.ts";
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
    mailsPage,
    approvalsPage,
    auditPage,
  ],
});
