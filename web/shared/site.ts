import { el, elementOf, show, skipToContent } from "./dom.ts";
import { failureText, isSignedOut } from "./failure.ts";
import { keptCaller, type KeptCaller } from "./kept-caller.ts";
import { limitLinks, linkTo, type PageOf } from "./page.ts";
import { signInForm, type Caller } from "./sign-in.ts";
import { startTheme } from "./theme.ts";
import { notice } from "./view.ts";

/** Pages for one who has signed in. */
export interface Site<Session> {
  readonly title: string;
  /** The member of an access file that holds the caller; the file itself if absent. */
  readonly accessMember?: string;
  /** Rejects where the service does not take the caller. */
  readonly signIn: (caller: Caller) => Promise<Session>;
  /**
   * The parts shown to a reader who comes by an address of its own and has not signed in. Gives false for any other.
   */
  readonly arrive?: (address: string, enter: (caller: Caller) => Promise<void>) => boolean;
  /** As the navigation names them; the first is shown where the address names none. */
  readonly pages: readonly [PageOf<Session>, ...PageOf<Session>[]];
}

/** The user who has signed in, and their scopes. Scopes are absent if the service does not tell them. */
export interface SignedIn {
  readonly userName: string;
  readonly scopes?: readonly string[] | undefined;
}

/** Signs the reader in, then shows the page that the address names. A reload asks for nothing again. */
export function startSite<Session extends SignedIn>(site: Site<Session>): void {
  const { title, accessMember, signIn, arrive = () => false } = site;
  const kept = keptCaller(location.pathname);
  let shown: ShownPages | undefined;
  skipToContent();
  startTheme();
  const enter = async (caller: Caller): Promise<void> => {
    const session = await signIn(caller);
    await kept.keep(caller);
    shown = start(site, session, kept);
  };
  const ask = (): void =>
    show(
      elementOf("main"),
      el("h1", {}, title),
      signInForm({
        ...(accessMember !== undefined && { accessMember }),
        signIn: enter,
      }),
    );
  const resume = async (): Promise<void> => {
    const caller = await kept.recall();
    if (caller === undefined) return ask();
    try {
      shown = start(site, await signIn(caller), kept);
    } catch (error) {
      if (isSignedOut(error)) await kept.forget();
      ask();
      elementOf("main").append(notice("error", failureText(error)));
    }
  };
  // A reader who pastes the address of an invitation into the open page loads nothing.
  addEventListener("hashchange", () => {
    if (arrive(location.hash, enter)) {
      shown?.leave();
      shown = undefined;
      show(elementOf("pages"));
    } else shown?.go();
  });
  if (!arrive(location.hash, enter)) void resume();
}

/** The pages of a reader who has signed in. */
interface ShownPages {
  /** Shows the page that the address names. */
  go(): void;
  /** Ends what the present page still does. */
  leave(): void;
}

function start<Session extends SignedIn>(
  site: Site<Session>,
  session: Session,
  kept: KeptCaller,
): ShownPages {
  const main = elementOf("main");
  limitLinks(site.pages, session.scopes);
  const signOut = (): void => void kept.forget().then(() => location.reload());
  show(
    elementOf("who"),
    session.userName,
    " ",
    el("button", { type: "button", onclick: signOut }, "Sign out"),
  );
  let leaving = new AbortController();
  const refresh = (): void => {
    leaving.abort();
    leaving = new AbortController();
    showPage(site, session, leaving.signal, refresh);
  };
  const go = (): void => {
    refresh();
    main.focus();
  };
  go();
  return { go, leave: () => leaving.abort() };
}

function showPage<Session>(
  { title, pages }: Site<Session>,
  session: Session,
  signal: AbortSignal,
  refresh: () => void,
): void {
  const [name, ...args] = location.hash.slice(2).split("/").map(decoded);
  const page = name === "" || name === undefined ? pages[0] : pages.find((each) => each.name === name);
  document.title = `${page?.title ?? "No such page"} · ${title}`;
  show(
    elementOf("pages"),
    el(
      "ul",
      {},
      pages.map((each) => {
        const link = linkTo([each.name], each.title);
        if (each === page) link.setAttribute("aria-current", "page");
        return el("li", {}, link);
      }),
    ),
  );
  const main = elementOf("main");
  if (page === undefined) return show(main, el("h1", {}, "No such page"), unknownPage(location.hash));
  page.show({ session, main, args: args.filter((each) => each !== ""), refresh, signal });
}

function unknownPage(address: string): HTMLElement {
  return el("p", {}, `There is no page ${address} here. Choose one from the navigation.`);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
