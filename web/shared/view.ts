import { el, show, type Child } from "./dom.ts";
import { icon } from "./icon.ts";

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
  const head = columns.map(({ title, isNumber }) =>
    el("th", { scope: "col", role: "columnheader", ...classOf({ isNumber }) }, title),
  );
  const body = rows.map((row) =>
    el(
      "tr",
      { role: "row" },
      columns.map((column) =>
        el("td", { role: "cell", ...classOf(column), "data-title": column.title }, column.of(row)),
      ),
    ),
  );
  // A narrow screen shows each row as a block: the roles say that it is a table all the same.
  return el(
    "div",
    { class: "scroll", tabindex: "0", role: "group", "aria-label": caption },
    el(
      "table",
      { class: "rows", role: "table", "aria-label": caption },
      el("thead", { role: "rowgroup" }, el("tr", { role: "row" }, head)),
      el("tbody", { role: "rowgroup" }, body),
    ),
  );
}

function classOf({ isNumber }: { readonly isNumber?: true | undefined }): Readonly<Record<string, string>> {
  return isNumber ? { class: "number" } : {};
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

/** Plain prose: what stands between backquotes is code. It keeps to itself the direction that it is written in. */
export function prose(text: string): HTMLElement {
  const parts = text.split(/`([^`]+)`/);
  return el(
    "span",
    {},
    parts.map((part, index) => (index % 2 === 1 ? el("code", {}, part) : part)),
  );
}

/** A sentence that stands out. */
export function notice(kind: "error" | "done" | "hint", ...children: readonly Child[]): HTMLElement {
  return el("div", { class: `notice ${kind}`, role: kind === "error" ? "alert" : "status" }, children);
}

/** A point in time by the reader's clock, with its zone; in UTC on hover. */
export function time(text: string | undefined): Child {
  if (text === undefined || text === "") return undefined;
  const date = new Date(text);
  if (Number.isNaN(date.getTime())) return text;
  // Where there is no room for both, they stand below each other.
  const parts = [
    date.toLocaleDateString(undefined, { dateStyle: "medium" }),
    date.toLocaleTimeString(undefined, { timeStyle: "long" }),
  ].map((part) => el("span", {}, part));
  return el("time", { datetime: text, title: date.toISOString() }, parts[0], " ", parts[1]);
}

const amountFormats = new Map<string, Intl.NumberFormat>();

/** An amount as the reader's language writes it, with all of its digits. */
export function money(amount: number | string, currency: string): string {
  const text = String(amount);
  if (!isDecimal(text)) return `${text} ${currency}`.trim();
  const isCode = /^[A-Z]{3}$/.test(currency);
  const known = amountFormats.get(currency);
  const format =
    known ??
    new Intl.NumberFormat(undefined, {
      ...(isCode ? { style: "currency", currency, currencyDisplay: "code" } : { minimumFractionDigits: 2 }),
      maximumFractionDigits: 20,
    });
  amountFormats.set(currency, format);
  // Formatted from its text, no digit is rounded.
  const shown = format.format(text);
  return isCode ? shown : `${shown} ${currency}`.trim();
}

function isDecimal(text: string): text is `${number}` {
  return /^-?\d+(?:\.\d+)?(?:e[+-]\d+)?$/.test(text);
}

/** A state as a badge: its text says all, colour and icon help. */
export function badge(state: string): HTMLElement {
  const tone = toneOf(state);
  return el("span", { class: `badge ${tone}` }, icon(toneIcons[tone]), state);
}

const toneIcons = { good: "check", bad: "cross", waiting: "clock" } as const;

const good = new Set(["ACTIVE", "COMPLETED", "DELIVERED", "ENABLED", "CREATED", "enabled", "ready", "OK"]);
const bad = new Set([
  "BLOCKED",
  "CLOSED",
  "DEAD",
  "DECLINED",
  "DISABLED",
  "EXPIRED",
  "FAILED",
  "REJECTED",
  "REVOKED",
  "disabled",
]);

function toneOf(state: string): keyof typeof toneIcons {
  if (good.has(state)) return "good";
  return bad.has(state) ? "bad" : "waiting";
}

/** A link that saves a text as a file. The text goes nowhere else. */
export function fileLink(name: string, text: string, label: string): HTMLElement {
  const href = URL.createObjectURL(new Blob([text], { type: "text/plain" }));
  return el("a", { href, download: name }, label);
}

/** Buttons, and links to what belongs to them. */
export function actions(...children: readonly Child[]): HTMLElement {
  return el("p", { class: "actions" }, children);
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
