// What the reference pages do beyond being read: search, copy buttons, a menu that folds on a narrow screen.
"use strict";

/** @typedef {[name: string, kind: string, href: string, about: string, words: string]} Entry */

const shownMax = 12;

{
  const form = document.querySelector(".search");
  const input = document.querySelector("#query");
  const list = document.querySelector("#found");
  const count = document.querySelector("#found-count");
  /** @type {readonly Entry[]} */
  const index = Reflect.get(globalThis, "searchIndex") ?? [];
  if (
    form instanceof HTMLFormElement &&
    input instanceof HTMLInputElement &&
    list instanceof HTMLElement &&
    count instanceof HTMLElement
  ) {
    startSearch(form, input, list, count, index);
  }
}

/**
 * @param {HTMLFormElement} form
 * @param {HTMLInputElement} input
 * @param {HTMLElement} list
 * @param {HTMLElement} count
 * @param {readonly Entry[]} index
 */
function startSearch(form, input, list, count, index) {
  const root = document.body.dataset["root"] ?? "";
  /** @type {readonly Entry[]} */
  let found = [];
  let selected = -1;

  const close = () => {
    list.hidden = true;
    selected = -1;
    input.setAttribute("aria-expanded", "false");
    input.removeAttribute("aria-activedescendant");
  };
  const show = () => {
    found = search(input.value, index).slice(0, shownMax);
    list.replaceChildren(...found.map(itemOf));
    count.textContent = input.value.trim() === "" ? "" : `${found.length} found`;
    if (found.length === 0) return close();
    list.hidden = false;
    input.setAttribute("aria-expanded", "true");
    select(0);
  };
  /** @param {number} at */
  const select = (at) => {
    selected = (at + found.length) % found.length;
    for (const [position, item] of [...list.children].entries()) {
      item.setAttribute("aria-selected", String(position === selected));
      if (position === selected) item.scrollIntoView({ block: "nearest" });
    }
    input.setAttribute("aria-activedescendant", `found-${selected}`);
  };
  /** @param {Entry | undefined} entry */
  const open = (entry) => {
    if (entry === undefined) return;
    close();
    location.href = root + entry[2];
  };

  form.hidden = false;
  input.addEventListener("input", show);
  input.addEventListener("focus", () => input.value !== "" && show());
  input.addEventListener("keydown", (event) => {
    if (event.key === "Escape") close();
    if (list.hidden) return;
    if (event.key === "ArrowDown") select(selected + 1);
    else if (event.key === "ArrowUp") select(selected - 1);
    else return;
    event.preventDefault();
  });
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    open(found[selected]);
  });
  list.addEventListener("mousedown", (event) => {
    event.preventDefault();
    const item = event.target instanceof Element ? event.target.closest("li") : null;
    if (item !== null) open(found[[...list.children].indexOf(item)]);
  });
  form.addEventListener("focusout", (event) => {
    if (!(event.relatedTarget instanceof Node && form.contains(event.relatedTarget))) close();
  });
  document.addEventListener("keydown", (event) => {
    const isTyping = event.target instanceof HTMLInputElement || event.target instanceof HTMLTextAreaElement;
    if (event.key !== "/" || isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    input.focus();
  });
}

/**
 * The entries that have every word of the question, those that are called so first.
 * @param {string} question
 * @param {readonly Entry[]} index
 */
function search(question, index) {
  const words = question.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return [];
  return index
    .map((entry) => ({ entry, weight: weightOf(entry, words) }))
    .filter(({ weight }) => weight > 0)
    .toSorted((a, b) => b.weight - a.weight)
    .map(({ entry }) => entry);
}

/**
 * @param {Entry} entry
 * @param {readonly string[]} words
 */
function weightOf([name, , , about, more], words) {
  const [named, said, other] = [name.toLowerCase(), about.toLowerCase(), more.toLowerCase()];
  let weight = 0;
  for (const word of words) {
    if (named === word) weight += 100;
    else if (named.split(/[^\p{L}\p{N}]+/u).some((part) => part.startsWith(word))) weight += 60;
    else if (named.includes(word)) weight += 40;
    else if (other.split(" ").includes(word)) weight += 20;
    else if (other.includes(word)) weight += 10;
    else if (said.includes(word)) weight += 5;
    else return 0;
  }
  return weight + 1 / named.length;
}

/**
 * @param {Entry} entry
 * @param {number} at
 */
function itemOf([name, kind, , about], at) {
  const item = document.createElement("li");
  item.id = `found-${at}`;
  item.setAttribute("role", "option");
  item.setAttribute("aria-selected", "false");
  item.append(part("span", "kind", kind), nameOf(name), part("span", "about", about));
  return item;
}

/**
 * A narrow screen breaks it after a dot or before a capital.
 *
 * @param {string} name
 */
function nameOf(name) {
  const element = document.createElement("strong");
  for (const each of name.split(/(?<=\.)|(?<=[\p{Ll}\d])(?=\p{Lu})/u))
    element.append(each, document.createElement("wbr"));
  return element;
}

/**
 * @param {string} tag
 * @param {string} className
 * @param {string} text
 */
function part(tag, className, text) {
  const element = document.createElement(tag);
  if (className !== "") element.className = className;
  element.textContent = text;
  return element;
}

for (const text of document.querySelectorAll("pre")) {
  const { clipboard } = navigator;
  if (clipboard === undefined) break; // A browser gives it to pages that came over TLS or from this machine.
  const button = document.createElement("button");
  button.type = "button";
  button.className = "copy";
  button.textContent = "Copy";
  button.addEventListener("click", async () => {
    await clipboard.writeText(text.textContent);
    button.textContent = "Copied";
    setTimeout(() => (button.textContent = "Copy"), 1500);
  });
  const frame = part("div", "code", "");
  text.replaceWith(frame);
  frame.append(text, button);
}

// What a link leads to is shown, and all of it on paper.
{
  const menu = document.querySelector(".menu");
  const narrow = matchMedia("(width < 48rem)");
  if (menu instanceof HTMLDetailsElement) {
    menu.open = !narrow.matches;
    // A wide screen has no button that opens it.
    narrow.addEventListener("change", () => (menu.open = !narrow.matches));
  }
  addEventListener("hashchange", reveal);
  reveal();
  addEventListener("beforeprint", () => {
    for (const details of document.querySelectorAll("details")) details.open = true;
  });
}

/** Opens what hides the target of a link. */
function reveal() {
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  for (let at = target; at !== null; at = at.parentElement) {
    if (at instanceof HTMLDetailsElement) at.open = true;
  }
}
