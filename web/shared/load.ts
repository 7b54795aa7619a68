import { el, show, type Child } from "./dom.ts";
import { failureText, isSignedOut, isTemporary } from "./failure.ts";
import { notice, time } from "./view.ts";

/** How long after a failure that may pass a place is read again. */
const againSeconds = 3;

/** The state of a place between two reads. */
interface Loaded {
  /** When what it shows was read. */
  readAt?: string | undefined;
  timer?: ReturnType<typeof setTimeout>;
}

const places = new WeakMap<HTMLElement, Loaded>();

/**
 * Shows what a promise gives; until then that it is loading, and a failure with a way to try again. Where the failure
 * may pass, the place is read again by itself, and what it showed stays beside the failure.
 */
export async function load<T>(
  place: HTMLElement,
  read: () => Promise<T>,
  render: (value: T) => Child,
): Promise<void> {
  const loaded = places.get(place) ?? {};
  places.set(place, loaded);
  clearTimeout(loaded.timer);
  place.setAttribute("aria-busy", "true");
  if (place.childElementCount === 0) show(place, el("p", { class: "loading" }, "Loading …"));
  try {
    const value = await read();
    loaded.readAt = new Date().toISOString();
    replace(place, render(value));
  } catch (error) {
    const again = (): void => void load(place, read, render);
    showFailure(place, error, loaded, again);
    if (isTemporary(error)) loaded.timer = setTimeout(() => againIn(place, again), againSeconds * 1_000);
  }
  place.removeAttribute("aria-busy");
}

/** Reads again, when the reader looks; not where the page was left. */
function againIn(place: HTMLElement, again: () => void): void {
  if (!place.isConnected) return;
  if (!document.hidden) return again();
  document.addEventListener("visibilitychange", () => place.isConnected && again(), { once: true });
}

function showFailure(place: HTMLElement, error: unknown, loaded: Loaded, again: () => void): void {
  const { readAt } = loaded;
  const isPassing = isTemporary(error);
  const keeps = isPassing && readAt !== undefined;
  const button = isSignedOut(error)
    ? el("button", { type: "button", onclick: () => location.reload() }, "Sign in again")
    : el("button", { type: "button", onclick: again }, "Try again");
  const failure = el(
    "div",
    { class: "failure" },
    notice(
      "error",
      failureText(error),
      isPassing ? " The page tries again by itself." : undefined,
      keeps ? [" Below is what was there at ", time(readAt), "."] : undefined,
    ),
    el("p", {}, button),
  );
  const shown = place.querySelector(":scope > .failure");
  if (!keeps) {
    loaded.readAt = undefined;
    replace(place, failure);
  }
  // The same failure is said once.
  else if (shown?.isEqualNode(failure) !== true) {
    shown?.remove();
    place.prepend(failure);
  }
}

/**
 * Shows something in place of what is there. Parts that are read again and are equal stay, so a list that refreshes
 * itself keeps the focus. Where it changed, the same link or button has the focus again, or else the page.
 */
function replace(place: HTMLElement, child: Child): void {
  const next = el("div", {}, child);
  const now = el("div");
  now.append(...[...place.childNodes].map((node) => node.cloneNode(true)));
  if (next.isEqualNode(now)) return;
  const focused = document.activeElement;
  const had = focused !== null && place.contains(focused) ? identityOf(focused) : undefined;
  place.replaceChildren(...next.childNodes);
  if (had === undefined) return;
  const same = [...place.querySelectorAll<HTMLElement>("a, button, input, [tabindex]")].find(
    (element) => identityOf(element) === had,
  );
  (same ?? place.closest("main"))?.focus({ preventScroll: true });
}

function identityOf(element: Element): string {
  const label = element.getAttribute("aria-label") ?? element.textContent;
  return `${element.nodeName} ${element.getAttribute("href") ?? ""} ${label}`;
}
