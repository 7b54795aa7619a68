/** Texts, and the characters that open, close and divide objects and lists. Numbers and words are of no interest. */
const tokens = /"(?:[^"\\]|\\.)*"|[{}[\],:]/g;

/**
 * The first name that an object of a JSON text has twice; undefined where each is there once. Readers take the first
 * value, the last one or refuse the text (RFC 8259, section 4), so such a text says different things to each.
 */
export function repeatedName(json: string): string | undefined {
  const open: (Set<string> | undefined)[] = [];
  let text = "";
  for (const [token] of json.matchAll(tokens)) {
    if (token === "{") open.push(new Set());
    else if (token === "[") open.push(undefined);
    else if (token === "}" || token === "]") open.pop();
    else if (token.startsWith('"')) text = token;
    else if (token === ":") {
      const names = open.at(-1);
      const name = String(JSON.parse(text));
      if (names?.has(name) === true) return name;
      names?.add(name);
    }
  }
  return undefined;
}
