// What the reference pages do beyond being read: theme, search, one language for all programs, copy buttons, folding.
"use strict";

/** @typedef {[name: string, kind: string, href: string, about: string, words: string]} Entry */
/** @typedef {(question: string) => readonly Entry[]} Search */

const shownMax = 12;
const themes = ["system", "light", "dark"];

// Before the page is drawn: it is never seen in another theme than the reader's.
document.documentElement.dataset["theme"] = kept("theme") ?? "system";
document.addEventListener("DOMContentLoaded", () => {
  startTheme();
  startSearch();
  startPrograms();
  for (const text of document.querySelectorAll("pre")) offerCopy(text);
  startTrying();
  startFolding();
});

/**
 * What a reader chose earlier, here or in Try it. A browser may refuse to keep anything.
 *
 * @param {string} name
 */
function kept(name) {
  try {
    return localStorage.getItem(name);
  } catch {
    return null;
  }
}

/**
 * @param {string} name
 * @param {string} value
 */
function keep(name, value) {
  try {
    localStorage.setItem(name, value);
  } catch {
    // The choice lasts until the page is left.
  }
}

function startTheme() {
  const button = document.querySelector("#theme");
  if (!(button instanceof HTMLButtonElement)) return;
  const paths = {
    system: "M4 5h16v11H4zM9 20h6M12 16v4",
    light:
      "M12 16a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM12 2v2M12 20v2M4.9 4.9l1.4 1.4M17.7 17.7l1.4 1.4M2 12h2M20 12h2M4.9 19.1l1.4-1.4M17.7 6.3l1.4-1.4",
    dark: "M20 14A8 8 0 0 1 10 4a8 8 0 1 0 10 10z",
  };
  const picture = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  const path = document.createElementNS("http://www.w3.org/2000/svg", "path");
  for (const [name, value] of Object.entries({ class: "icon", viewBox: "0 0 24 24", "aria-hidden": "true" }))
    picture.setAttribute(name, value);
  picture.append(path);
  button.append(picture);
  const show = () => {
    const theme = document.documentElement.dataset["theme"] ?? "system";
    button.title = `Theme: ${theme}`;
    button.setAttribute("aria-label", button.title);
    path.setAttribute("d", Object.entries(paths).find(([name]) => name === theme)?.[1] ?? paths.system);
  };
  button.addEventListener("click", () => {
    const now = themes.indexOf(document.documentElement.dataset["theme"] ?? "system");
    const next = themes[(now + 1) % themes.length] ?? "system";
    document.documentElement.dataset["theme"] = next;
    keep("theme", next);
    show();
  });
  show();
  button.hidden = false;
}

/**
 * Loads what only some readers need, as a script: a page without a server may not fetch.
 *
 * @param {string} file
 * @param {string} name Of the global variable that the script sets.
 */
function load(file, name) {
  return new Promise((resolve, reject) => {
    const script = document.createElement("script");
    script.src = `${document.body.dataset["root"] ?? ""}assets/${file}`;
    script.addEventListener("load", () => resolve(Reflect.get(globalThis, name)));
    script.addEventListener("error", () => reject(new Error(`${script.src} cannot be loaded`)));
    document.head.append(script);
  });
}

/** @type {() => Promise<Search>} */
const loadSearch = () => load("search-index.js", "searchPages");

function startSearch() {
  const form = document.querySelector(".search");
  const input = document.querySelector("#query");
  const list = document.querySelector("#found");
  const count = document.querySelector("#found-count");
  if (
    !(form instanceof HTMLFormElement) ||
    !(input instanceof HTMLInputElement) ||
    !(list instanceof HTMLElement) ||
    !(count instanceof HTMLElement)
  )
    return;
  const root = document.body.dataset["root"] ?? "";
  /** @type {Promise<Search> | undefined} */
  let search;
  /** @type {readonly Entry[]} */
  let found = [];
  let selected = -1;

  const close = () => {
    list.hidden = true;
    selected = -1;
    input.setAttribute("aria-expanded", "false");
    input.removeAttribute("aria-activedescendant");
  };
  const show = async () => {
    search ??= loadSearch();
    const question = input.value;
    const searchPages = await search;
    if (question !== input.value) return;
    found = searchPages(question).slice(0, shownMax);
    list.replaceChildren(...found.map(itemOf));
    count.textContent = question.trim() === "" ? "" : `${found.length} found`;
    if (question.trim() !== "" && found.length === 0) list.append(part("li", "about", "Nothing found."));
    if (question.trim() === "") return close();
    list.hidden = false;
    input.setAttribute("aria-expanded", "true");
    if (found.length > 0) select(0);
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
  input.addEventListener("input", () => void show());
  input.addEventListener("focus", () => {
    search ??= loadSearch();
    if (input.value !== "") void show();
  });
  input.addEventListener("keydown", (event) => {
    if (event.key === "Escape") close();
    if (list.hidden || found.length === 0) return;
    if (event.key === "ArrowDown") select(selected + 1);
    else if (event.key === "ArrowUp") select(selected - 1);
    else return;
    event.preventDefault();
  });
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    void show().then(() => open(found[Math.max(selected, 0)]));
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

/** @typedef {{ command: string, lines: string[], pages: Record<string, number[]> }} Programs */

/**
 * Fills in a program of which the page has only the name.
 *
 * @param {HTMLDetailsElement} program
 */
async function fill(program) {
  const { language = "", page = "" } = program.dataset;
  delete program.dataset["page"];
  /** @type {Promise<Record<string, Programs>>} */
  const loading = (programs ??= load("programs.js", "programs"));
  const { command = "", lines = [], pages = {} } = (await loading)[language] ?? {};
  const text = document.createElement("pre");
  text.tabIndex = 0;
  const code = document.createElement("code");
  code.innerHTML = (pages[page] ?? []).map((at) => lines[at]).join("\n");
  text.append(code);
  const note = part("p", "note", "Run it with ");
  note.append(part("code", "", command), ".");
  program.append(text, note);
  offerCopy(text);
}

/** @type {Promise<Record<string, Programs>> | undefined} */
let programs;

/** Shows each program in one language, the one that the reader chose last, on whichever page. */
function startPrograms() {
  const places = [...document.querySelectorAll(".programs")].map((place) => {
    const programs = [...place.querySelectorAll("details.program")].flatMap((each) =>
      each instanceof HTMLDetailsElement ? [each] : [],
    );
    const select = document.createElement("select");
    select.setAttribute("aria-label", "Language of the programs");
    for (const program of programs) {
      const name = program.querySelector("summary")?.textContent ?? "";
      select.append(new Option(name, program.dataset["language"]));
    }
    place.classList.add("chosen");
    place.prepend(select);
    return { programs, select };
  });
  /** @param {string | null} language */
  const show = (language) => {
    for (const { programs, select } of places) {
      const chosen = programs.find((each) => each.dataset["language"] === language) ?? programs[0];
      for (const program of programs) {
        program.open = program === chosen;
        program.hidden = program !== chosen;
      }
      if (chosen?.dataset["page"] !== undefined) void fill(chosen);
      select.value = chosen?.dataset["language"] ?? "";
    }
  };
  for (const { select } of places) {
    select.addEventListener("change", () => {
      keep("language", select.value);
      show(select.value);
    });
  }
  show(kept("language"));
}

/** @param {HTMLElement} text */
function offerCopy(text) {
  const { clipboard } = navigator;
  if (clipboard === undefined) return; // A browser gives it to pages that came over TLS or from this machine.
  const button = document.createElement("button");
  button.type = "button";
  button.className = "copy small";
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

/** Loads the page that calls the operation into the operation, when a reader opens it; it is as high as what it shows. */
function startTrying() {
  for (const place of document.querySelectorAll("details.try")) {
    const frame = place.querySelector("iframe");
    if (!(frame instanceof HTMLIFrameElement) || !(place instanceof HTMLDetailsElement)) continue;
    place.addEventListener("toggle", () => {
      if (place.open && frame.src === "") frame.src = frame.dataset["src"] ?? "";
    });
    frame.addEventListener("load", () => {
      const shown = frame.contentDocument?.body;
      if (shown === undefined) return;
      new ResizeObserver(() => (frame.style.height = `${shown.offsetHeight + 2}px`)).observe(shown);
    });
  }
}

/** What a link leads to is shown, and all of it on paper. */
function startFolding() {
  const menu = document.querySelector(".menu");
  const narrow = matchMedia("(width < 48rem)");
  if (menu instanceof HTMLDetailsElement) {
    menu.open = !narrow.matches;
    // A wide screen has no button that opens it.
    narrow.addEventListener("change", () => (menu.open = !narrow.matches));
    menu.querySelector("[aria-current]")?.scrollIntoView({ block: "nearest" });
  }
  for (const place of document.querySelectorAll(".parts")) {
    const folds = place.querySelectorAll("details");
    if (folds.length < 2) continue;
    const button = part("button", "small plain fold", "Open all fields");
    button.setAttribute("type", "button");
    button.addEventListener("click", () => {
      const isOpening = [...folds].some(({ open }) => !open);
      for (const fold of folds) fold.open = isOpening;
      button.textContent = isOpening ? "Close all fields" : "Open all fields";
    });
    place.prepend(button);
  }
  addEventListener("hashchange", reveal);
  reveal();
  addEventListener("beforeprint", () => {
    for (const details of document.querySelectorAll("details:not(.program, .try)"))
      details.setAttribute("open", "");
  });
}

/** Opens what hides the target of a link. */
function reveal() {
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  for (let at = target; at !== null; at = at.parentElement) {
    if (at instanceof HTMLDetailsElement) at.open = true;
  }
}
