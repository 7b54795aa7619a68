import { el, elementOf, show, skipToContent } from "./dom.ts";
import type { PageOf } from "./page.ts";
import { signInForm, type Caller } from "./sign-in.ts";

/** Pages for one who has signed in. */
export interface Site<Session> {
  readonly title: string;
  /** The member of an access file that holds the caller; the file itself if absent. */
  readonly accessMember?: string;
  /** Rejects where the service does not take the caller. */
  readonly signIn: (caller: Caller) => Promise<Session>;
  /** As the navigation names them; the first is shown where the address names none. */
  readonly pages: readonly [PageOf<Session>, ...PageOf<Session>[]];
}

/** Signs the reader in, then shows the page that the address names. */
export function startSite<Session extends { readonly userName: string }>(site: Site<Session>): void {
  const { title, accessMember, signIn } = site;
  skipToContent();
  show(
    elementOf("main"),
    el("h1", {}, title),
    signInForm({
      ...(accessMember !== undefined && { accessMember }),
      signIn: async (caller) => start(site, await signIn(caller)),
    }),
  );
}

function start<Session extends { readonly userName: string }>(site: Site<Session>, session: Session): void {
  const main = elementOf("main");
  show(
    elementOf("who"),
    session.userName,
    " ",
    el("button", { type: "button", onclick: () => location.reload() }, "Sign out"),
  );
  let leaving = new AbortController();
  const go = () => {
    leaving.abort();
    leaving = new AbortController();
    showPage(site, session, leaving.signal, go);
  };
  addEventListener("hashchange", () => {
    go();
    main.focus();
  });
  go();
  main.focus();
}

function showPage<Session>(
  { title, pages }: Site<Session>,
  session: Session,
  signal: AbortSignal,
  refresh: () => void,
): void {
  const [name, ...args] = location.hash.slice(2).split("/").map(decoded);
  const page = pages.find((each) => each.name === name) ?? pages[0];
  document.title = `${page.title} · ${title}`;
  show(
    elementOf("pages"),
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
  const main = elementOf("main");
  page.show({ session, main, args: args.filter((each) => each !== ""), refresh, signal });
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
