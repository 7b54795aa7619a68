// The search over guides and reference. It is loaded when a reader first asks for it, after MiniSearch and the index.
"use strict";

/** @typedef {[name: string, kind: string, href: string, about: string, words: string]} Entry */

{
  /** @type {typeof import("minisearch").default} */
  const MiniSearch = Reflect.get(globalThis, "MiniSearch");
  /** @type {readonly Entry[]} */
  const entries = Reflect.get(globalThis, "searchIndex");

  // A guide explains what the others say of it; a rule is long, and has most words.
  const weights = new Map([
    ["guide", 1.5],
    ["rule", 0.4],
  ]);

  /** Words that readers use for what the pages call otherwise. */
  const groups = [
    ["pagination", "paging", "page", "cursor", "pages"],
    ["idempotent", "idempotency", "repeat", "repetition", "retry", "duplicate"],
    ["webhook", "webhooks", "notification", "notifications", "event", "events", "callback"],
    ["authentication", "authenticate", "auth", "credential", "login", "sign", "signature"],
    ["rotate", "rotation", "replace", "renew", "revoke"],
    ["error", "errors", "failure", "code", "codes", "status"],
    ["start", "started", "quickstart", "first", "begin", "tutorial"],
    ["limit", "limits", "rate", "throttle", "quota"],
    ["sandbox", "test", "demo"],
    ["download", "downloads", "openapi", "openrpc", "swagger", "postman", "bruno"],
    ["field", "fields", "type", "types", "schema"],
  ];
  /** @type {Map<string, readonly string[]>} */
  const alike = new Map(groups.flatMap((group) => group.map((word) => [word, group])));

  const search = new MiniSearch({
    fields: ["name", "about", "words"],
    idField: "at",
    tokenize: wordsOf,
    processTerm: (term) => term.toLowerCase(),
  });
  search.addAll(entries.map(([name, , , about, words], at) => ({ at, name, about, words })));

  /**
   * The entries that fit a question, the best first.
   *
   * @param {string} question
   * @returns {readonly Entry[]}
   */
  function searchPages(question) {
    const asked = question.trim().toLowerCase();
    if (asked === "") return [];
    const words = asked.split(/\s+/);
    const options = {
      prefix: true,
      fuzzy: errorsIn,
      boost: { name: 6, about: 2 },
      boostDocument: (/** @type {number} */ at) => weights.get(entries[at]?.[1] ?? "") ?? 1,
      tokenize: (/** @type {string} */ text) => text.split(/\s+/).filter((word) => word !== ""),
    };
    // Each word, or one that readers use in its place; all of them where a place has all, else some.
    /** @type {import("minisearch").Query[]} */
    const queries = words.map((word) => ({
      combineWith: /** @type {const} */ ("OR"),
      queries: [
        { queries: [word], boostTerm: () => 3 },
        ...(alike.get(word) ?? []).map((other) => ({ queries: [other], fuzzy: false, prefix: false })),
      ],
    }));
    const all = search.search({ combineWith: "AND", queries }, options);
    const found = all.length > 0 ? all : search.search({ combineWith: "OR", queries }, options);
    // Part of a name that programs write is meant as it is.
    const isName = /[_.]/.test(asked);
    const exact = entries.filter(([name]) => {
      const lower = name.toLowerCase();
      return lower === asked || (isName && lower.includes(asked));
    });
    const ranked = found.map(({ id }) => entries[id]).filter((entry) => entry !== undefined);
    return [...new Set([...exact, ...ranked])];
  }

  Reflect.set(globalThis, "searchPages", searchPages);
}

/**
 * A text as words: names also by their parts, NOT_FOUND_ACCOUNT and getAccount by each word of theirs.
 *
 * @param {string} text
 */
function wordsOf(text) {
  const whole = text.split(/[^\p{L}\p{N}_.-]+/u).filter((word) => word !== "");
  const names = text.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== "");
  const parts = text.split(/[^\p{L}\p{N}]+|(?<=[\p{Ll}\p{N}])(?=\p{Lu})/u).filter((word) => word !== "");
  return [...new Set([...whole, ...names, ...parts])];
}

/**
 * How many letters of a word may be wrong, as a share of it: none of a short one.
 *
 * @param {string} word
 */
function errorsIn(word) {
  return word.length > 4 ? 0.25 : false;
}
