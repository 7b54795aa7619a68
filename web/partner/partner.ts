/** The partner's page: signs a user of the documented interface in, then shows what is theirs. */
import { startSite } from "../shared/site.ts";
import { keysPage } from "./pages/keys.ts";
import { subscriptionsPage } from "./pages/subscriptions.ts";
import { signIn } from "./session.ts";

startSite({ title: "Partner's page", signIn, pages: [subscriptionsPage, keysPage] });
