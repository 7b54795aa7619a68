// Links to the other revisions of an interface whose pages lie beside each other. A line before this gives them.
"use strict";

/** @type {readonly (readonly [revision: string, pages: readonly string[]])[]} newest first */
const revisions = Reflect.get(window, "revisions");
showRevisions();

function showRevisions() {
  const base = new URL(`${document.body.dataset["root"] ?? ""}../`, location.href);
  const [current = "", ...rest] = location.href
    .slice(base.href.length)
    .replace(/[?#].*$/, "")
    .split("/");
  const page = rest.join("/") || "index.html";
  const [newest] = revisions;
  const home = document.querySelector("a.home");
  if (home === null || newest === undefined || revisions.length < 2) return;

  /** @param {string} revision @param {readonly string[]} pages @param {string} text */
  const linkTo = (revision, pages, text) => {
    const link = document.createElement("a");
    link.href = new URL(`${revision}/${pages.includes(page) ? page : "index.html"}`, base).href;
    link.textContent = text;
    if (revision === current) link.setAttribute("aria-current", "true");
    return link;
  };
  const menu = document.createElement("details");
  menu.className = "revisions";
  const summary = document.createElement("summary");
  summary.textContent = `Revision ${current}`;
  const list = document.createElement("ul");
  for (const [revision, pages] of revisions) {
    const item = document.createElement("li");
    item.append(linkTo(revision, pages, revision));
    list.append(item);
  }
  menu.append(summary, list);
  home.querySelector(".revision")?.remove();
  home.after(menu);

  const [latest, pages] = newest;
  if (latest === current) return;
  const note = document.createElement("p");
  note.className = "older";
  note.append(`Revision ${latest} is newer. `, linkTo(latest, pages, "Read this page there"), ".");
  document.querySelector("main")?.prepend(note);
}
