import { Placed, type Source, walk } from "./json.ts";

/** The text that a number of an answer was sent as; undefined where a double says the same. */
export function sentText(holder: object, name: string): string | undefined {
  const [source, at = 0] = Placed.placeOf(holder) || [];
  return source && (source.texts ??= textsOf(source.text))[at]?.get(name);
}

/** A number outside of strings. */
const number = /-?\d[^\s,\]}]*/g;

/**
 * The texts of numbers that a double would print otherwise, for each object of a JSON text in the order of a walk. They
 * are put into strings that begin with a random mark, and found again once the text is parsed.
 */
function textsOf(text: string): NonNullable<Source["texts"]> {
  const mark = crypto.randomUUID();
  const marked = (part: string) => (part === `${+part}` ? part : `"${mark}${part}"`);
  let isString = false;
  const pieces = text.split('"').map((piece) => {
    if (!isString) {
      isString = true;
      return piece.replace(number, marked);
    }
    // A string goes on behind a quote with a backslash before it that has none of its own.
    let end = piece.length;
    while (piece[end - 1] === "\\") end -= 1;
    isString = (piece.length - end) % 2 === 1;
    return piece;
  });
  const texts: (ReadonlyMap<string, string> | undefined)[] = [];
  walk(JSON.parse(pieces.join('"')), (holder) => {
    const own = Object.entries(holder).flatMap(([name, value]): [string, string][] =>
      typeof value === "string" && value.startsWith(mark) ? [[name, value.slice(mark.length)]] : [],
    );
    texts.push(own.length === 0 ? undefined : new Map(own));
  });
  return texts;
}
