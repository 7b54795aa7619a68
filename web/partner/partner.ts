/** The partner's page: signs a user of the documented interface in, then shows what is theirs. */
import { startSite } from "../shared/site.ts";
import { arriveByInvitation } from "./invitation.ts";
import { accountsPage } from "./pages/accounts.ts";
import { eventsPage } from "./pages/events.ts";
import { keysPage } from "./pages/keys.ts";
import { subscriptionsPage } from "./pages/subscriptions.ts";
import { signIn } from "./session.ts";

startSite({
  title: "Partner's page",
  signIn,
  arrive: arriveByInvitation,
  pages: [subscriptionsPage, accountsPage, eventsPage, keysPage],
});
