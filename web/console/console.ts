/** The operator's console: signs the operator in, then shows the page that the address names. */
import { el, elementOf, show } from "../shared/dom.ts";
import { signInForm } from "../shared/sign-in.ts";
import type { ConsolePage } from "./page.ts";
import { accountsPage } from "./pages/accounts.ts";
import { auditPage } from "./pages/audit.ts";
import { customersPage } from "./pages/customers.ts";
import { deliveriesPage } from "./pages/deliveries.ts";
import { overviewPage } from "./pages/overview.ts";
import { subscriptionsPage } from "./pages/subscriptions.ts";
import { transactionsPage } from "./pages/transactions.ts";
import { usersPage } from "./pages/users.ts";
import { signIn, type Session } from "./session.ts";

const pages: readonly ConsolePage[] = [
  overviewPage,
  customersPage,
  usersPage,
  accountsPage,
  transactionsPage,
  subscriptionsPage,
  deliveriesPage,
  auditPage,
];

const main = elementOf("main");
const navigation = elementOf("pages");
const who = elementOf("who");

show(
  main,
  el("h1", {}, "Operator's console"),
  signInForm({
    accessMember: "operator",
    signIn: async (caller) => start(await signIn(caller)),
  }),
);

function start(session: Session): void {
  show(
    who,
    session.userName,
    " ",
    el("button", { type: "button", onclick: () => location.reload() }, "Sign out"),
  );
  let leaving = new AbortController();
  const go = () => {
    leaving.abort();
    leaving = new AbortController();
    showPage(session, leaving.signal, go);
  };
  addEventListener("hashchange", () => {
    go();
    main.focus();
  });
  go();
}

function showPage(session: Session, signal: AbortSignal, refresh: () => void): void {
  const [name, ...args] = location.hash.slice(2).split("/").map(decoded);
  const page = pages.find((each) => each.name === name) ?? overviewPage;
  document.title = `${page.title} · Operator's console`;
  show(
    navigation,
    el(
      "ul",
      {},
      pages.map((each) =>
        el(
          "li",
          {},
          el("a", { href: `#/${each.name}`, "aria-current": each === page ? "page" : undefined }, each.title),
        ),
      ),
    ),
  );
  page.show({ session, main, args: args.filter((each) => each !== ""), refresh, signal });
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
