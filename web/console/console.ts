/** The operators' console of any application: signs an operator in, then shows the page that the address names. */
import { AdminClient, messageSignatures } from "../../generated/admin/client/index.ts";
import { loadForms } from "../shared/operation-button.ts";
import type { Caller } from "../shared/sign-in.ts";
import { startSite } from "../shared/site.ts";
import { auditPage } from "./pages/audit.ts";
import { deliveriesPage } from "./pages/deliveries.ts";
import { mailsPage } from "./pages/mails.ts";
import { overviewPage } from "./pages/overview.ts";
import { subscriptionsPage } from "./pages/subscriptions.ts";
import { usersPage } from "./pages/users.ts";
import { scopesOf, type Session } from "./session.ts";
import { suggestFor } from "./suggestions.ts";

async function signIn({ userName, apiKey, keyId, privateKey }: Caller): Promise<Session> {
  const client = new AdminClient({
    baseUrl: location.origin,
    credential: { userName, apiKey },
    signer: { keyId, privateKey },
    messageSignatures,
  });
  const [forms, scopes] = await Promise.all([
    loadForms(new URL("../../generated/admin/", import.meta.url)),
    scopesOf(client, userName),
  ]);
  const suggest = suggestFor(client, { fields: new Map(), makeUsers: ["IssueCredential"] });
  return { ...forms, client, userName, scopes, topics: "Topics", suggest };
}

startSite({
  title: "Operator's console",
  accessMember: "operator",
  signIn,
  pages: [overviewPage, usersPage, subscriptionsPage, deliveriesPage, mailsPage, auditPage],
});
