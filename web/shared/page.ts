import { el, show, type Child } from "./dom.ts";
import { failureText } from "./failure.ts";
import { load } from "./load.ts";
import { openPages, type ReadPage } from "./open-pages.ts";
import { seen } from "./reasons.ts";
import { actions, notice } from "./view.ts";

/** Context of a page. */
export interface ContextOf<Session> {
  readonly session: Session;
  /** Where it shows itself. */
  readonly main: HTMLElement;
  /** The parts of the address after its name. */
  readonly args: readonly string[];
  /** Shows the page anew. */
  readonly refresh: () => void;
  /** Aborted when the reader goes elsewhere. */
  readonly signal: AbortSignal;
}

/** One page of a site, by the first part of its address. */
export interface PageOf<Session> extends ReadPage {
  readonly title: string;
  readonly show: (context: ContextOf<Session>) => void;
}

/** A place that shows what a promise gives. */
export function section<T>(title: string, read: () => Promise<T>, render: (value: T) => Child): HTMLElement {
  const place = el("div", { class: "content" });
  void load(place, read, render);
  return titled(title, place);
}

/** A part of a page, with its heading. */
export function titled(title: string, ...children: readonly Child[]): HTMLElement {
  return el("section", {}, el("h2", {}, title), children);
}

/** Reads once for all who ask; after a failure again for the next. */
export function once<T>(read: () => Promise<T>): () => Promise<T> {
  let reading: Promise<T> | undefined;
  return async () => {
    reading ??= read();
    try {
      return await reading;
    } catch (error) {
      reading = undefined;
      throw error;
    }
  };
}

let mayOpen: (path: readonly string[]) => boolean = () => true;

/** Has links to pages be plain text that a credential with these scopes cannot read. */
export function limitLinks(...given: Parameters<typeof openPages>): void {
  mayOpen = openPages(...given);
}

/** A link inside the site; plain text where the reader may not open the page. */
export function linkTo(path: readonly string[], text?: string): HTMLElement {
  const shown = seen(text ?? path.at(-1) ?? "");
  if (!mayOpen(path)) return el("span", {}, shown);
  return el("a", { href: `#/${path.map(encodeURIComponent).join("/")}` }, shown);
}

/** Where a page of a list begins: absent, at its start. */
export interface Place {
  readonly after?: string;
}

/** A list that is read page by page, by a method that goes on by a token: "Show more" adds to it. */
export function pagedList<Result extends { readonly next?: string | undefined }, Row>(
  read: (place: Place) => Promise<Result>,
  rowsOf: (result: Result) => readonly Row[],
  render: (rows: readonly Row[]) => Child,
): HTMLElement {
  const place = el("div", { class: "content" });
  let rows: readonly Row[] = [];

  async function more(from: Place): Promise<Child> {
    const result = await read(from);
    rows = [...rows, ...rowsOf(result)];
    return [render(rows), result.next === undefined ? undefined : moreButton(result.next)];
  }

  function moreButton(after: string): HTMLElement {
    const button = el("button", { type: "button" }, "Show more");
    const outcome = el("div");
    button.addEventListener("click", () => {
      button.disabled = true;
      more({ after }).then(
        (shown) => show(place, shown),
        (error: unknown) => {
          button.disabled = false;
          show(outcome, notice("error", failureText(error)));
          button.focus();
        },
      );
    });
    return el("div", {}, actions(button), outcome);
  }

  void load(
    place,
    () => more({}),
    (shown) => shown,
  );
  return place;
}

/** Calls again and again until the reader goes elsewhere; not while a call is under way, or the page is hidden. */
export function every(seconds: number, signal: AbortSignal, work: () => Promise<void>): void {
  let isAtWork = false;
  const timer = setInterval(() => {
    if (document.hidden || isAtWork) return;
    isAtWork = true;
    void work().finally(() => {
      isAtWork = false;
    });
  }, seconds * 1_000);
  signal.addEventListener("abort", () => clearInterval(timer));
}

/** A form of filters that stay in the address. */
export function filterForm(
  fields: readonly HTMLElement[],
  apply: () => void,
  label = "Show",
): HTMLFormElement {
  const form = el("form", { class: "filters" }, fields, el("button", { type: "submit" }, label));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    apply();
  });
  return form;
}
