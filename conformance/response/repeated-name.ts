/** A name that an object of a JSON text has twice. */
export interface RepeatedName {
  readonly name: string;
  /** Where it stands again, and where it stood first: offsets in the text. */
  readonly at: number;
  readonly firstAt: number;
}

/**
 * The first name that an object of a JSON text has twice; undefined where each is there once. Readers take the first
 * value, the last one or refuse the text (RFC 8259, section 4), so such a text says different things to each.
 */
export function repeatedName(json: string): RepeatedName | undefined {
  const open: (Map<string, number> | undefined)[] = [];
  let textAt = 0;
  let textEnd = 0;
  for (let at = 0; at < json.length; at += 1) {
    const character = json[at];
    if (character === "{") open.push(new Map());
    else if (character === "[") open.push(undefined);
    else if (character === "}" || character === "]") open.pop();
    else if (character === '"') {
      textAt = at;
      at = endOfText(json, at);
      textEnd = at + 1;
    } else if (character === ":") {
      const names = open.at(-1);
      const name = String(JSON.parse(json.slice(textAt, textEnd)));
      const firstAt = names?.get(name);
      if (firstAt !== undefined) return { name, at: textAt, firstAt };
      names?.set(name, textAt);
    }
  }
  return undefined;
}

/** The closing quote. An expression would run out of stack at a text of some megabytes. */
function endOfText(json: string, open: number): number {
  let at = open + 1;
  while (at < json.length && json[at] !== '"') at += json[at] === "\\" ? 2 : 1;
  return at;
}
