import { el, show, type Child } from "./dom.ts";
import { messageOf } from "./json.ts";

/** One column of a table. */
export interface Column<Row> {
  readonly title: string;
  readonly of: (row: Row) => Child;
  readonly isNumber?: true;
}

/** A table of rows, or the words for none. */
export function table<Row>(
  caption: string,
  columns: readonly Column<Row>[],
  rows: readonly Row[],
  empty: string,
): HTMLElement {
  if (rows.length === 0) return el("p", { class: "empty" }, empty);
  const classOf = (column: Column<Row>) => (column.isNumber ? { class: "number" } : {});
  const head = columns.map((column) => el("th", { scope: "col", ...classOf(column) }, column.title));
  const body = rows.map((row) =>
    el(
      "tr",
      {},
      columns.map((column) => el("td", { ...classOf(column), "data-title": column.title }, column.of(row))),
    ),
  );
  const caption_ = el("caption", {}, caption);
  return el(
    "div",
    { class: "scroll", tabindex: "0", role: "group", "aria-label": caption },
    el("table", {}, caption_, el("thead", {}, el("tr", {}, head)), el("tbody", {}, body)),
  );
}

/** Names and values of one thing; those without a value are left out. */
export function facts(entries: readonly (readonly [string, Child])[]): HTMLElement {
  return el(
    "dl",
    { class: "facts" },
    entries
      .filter(([, value]) => value !== undefined && value !== "")
      .map(([name, value]) => el("div", {}, el("dt", {}, name), el("dd", {}, value))),
  );
}

/** Shows what a promise gives; until then that it is loading, and a failure with a way to try again. */
export async function load<T>(
  place: HTMLElement,
  read: () => Promise<T>,
  render: (value: T) => Child,
): Promise<void> {
  place.setAttribute("aria-busy", "true");
  if (place.childElementCount === 0) show(place, el("p", { class: "loading" }, "Loading …"));
  try {
    const value = await read();
    show(place, render(value));
  } catch (error) {
    const again = el(
      "button",
      { type: "button", onclick: () => void load(place, read, render) },
      "Try again",
    );
    show(place, notice("error", messageOf(error)), el("p", {}, again));
  }
  place.removeAttribute("aria-busy");
}

/** A sentence that stands out. */
export function notice(kind: "error" | "done" | "hint", ...children: readonly Child[]): HTMLElement {
  return el("div", { class: `notice ${kind}`, role: kind === "error" ? "alert" : "status" }, children);
}

/** A point in time in the reader's own clock; its exact text on hover. */
export function time(text: string | undefined): Child {
  if (text === undefined || text === "") return undefined;
  const date = new Date(text);
  if (Number.isNaN(date.getTime())) return text;
  const shown = date.toLocaleString(undefined, { dateStyle: "medium", timeStyle: "medium" });
  return el("time", { datetime: text, title: text }, shown);
}

/** An amount with its currency, digits grouped. */
export function money(amount: number | string | undefined, currency = ""): Child {
  if (amount === undefined) return undefined;
  const [whole = "", fraction] = String(amount).split(".");
  const grouped = whole.replace(/\B(?=(?:\d{3})+$)/g, "\u202f");
  return `${grouped}.${(fraction ?? "").padEnd(2, "0")} ${currency}`.trim();
}

/** A state as a badge: its text says all, its colour helps. */
export function badge(state: string): HTMLElement {
  return el("span", { class: `badge ${toneOf(state)}` }, state);
}

const good = new Set(["ACTIVE", "COMPLETED", "DELIVERED", "ENABLED", "CREATED", "enabled", "ready"]);
const bad = new Set([
  "BLOCKED",
  "CLOSED",
  "DEAD",
  "DECLINED",
  "DISABLED",
  "FAILED",
  "REJECTED",
  "REVOKED",
  "disabled",
]);

function toneOf(state: string): string {
  if (good.has(state)) return "good";
  return bad.has(state) ? "bad" : "waiting";
}

/** A value to copy. */
export function copyable(text: string): HTMLElement {
  return el("span", { class: "copyable" }, el("code", {}, text), " ", copyButton(text));
}

/** A button that copies a text. */
export function copyButton(text: string): HTMLElement {
  const button = el("button", { type: "button", class: "small" }, "Copy");
  button.addEventListener("click", () => {
    navigator.clipboard.writeText(text).then(
      () => show(button, "Copied"),
      () => show(button, "The browser does not allow it"),
    );
  });
  return button;
}
