/** The parsed text of `type`, before names are resolved. */
export type TypeExpression =
  | { readonly kind: "name"; readonly name: string }
  | { readonly kind: "array"; readonly items: TypeExpression }
  | { readonly kind: "map"; readonly values: TypeExpression }
  | { readonly kind: "tuple"; readonly items: readonly TypeExpression[] }
  | { readonly kind: "union"; readonly alternatives: readonly TypeExpression[] };

/** Expressions stand in one another no deeper than this. */
const depthMax = 100;

/**
 * Reads `Task`, `array of Task`, `map of Task`, `tuple of [A, B]` and `A|B`. `array of` and `map of` reach to the next
 * `|`, so that parentheses are needed around a union: `array of (A|B)`. Undefined where it is no expression.
 */
export function parseExpression(text: string): TypeExpression | undefined {
  const tokens = text.match(/[|()[\],]|[^\s|()[\],]+/g) ?? [];
  const reader: Reader = { tokens, at: 0, depth: 0 };
  const expression = readUnion(reader);
  return reader.at === tokens.length ? expression : undefined;
}

interface Reader {
  readonly tokens: readonly string[];
  at: number;
  depth: number;
}

function readUnion(reader: Reader): TypeExpression | undefined {
  if (reader.depth >= depthMax) return undefined;
  reader.depth += 1;
  const alternatives = readSeparated(reader, "|", readOne);
  reader.depth -= 1;
  const [first] = alternatives ?? [];
  if (alternatives === undefined || first === undefined) return undefined;
  return alternatives.length === 1 ? first : { kind: "union", alternatives };
}

function readOne(reader: Reader): TypeExpression | undefined {
  const token = reader.tokens[reader.at];
  const isOf = reader.tokens[reader.at + 1] === "of";
  if ((token === "array" || token === "map") && isOf) return readListOrMap(reader, token);
  if (token === "tuple" && isOf) return readTuple(reader);
  if (token === "(") {
    reader.at += 1;
    const inner = readUnion(reader);
    return taken(reader, ")") ? inner : undefined;
  }
  if (token === undefined || !/^[^\s[\](){}<>|?&,]+$/.test(token) || words.has(token)) return undefined;
  reader.at += 1;
  return { kind: "name", name: token };
}

const words: ReadonlySet<string> = new Set(["array", "map", "tuple", "of", "none"]);

function readListOrMap(reader: Reader, word: "array" | "map"): TypeExpression | undefined {
  if (reader.depth >= depthMax) return undefined;
  reader.at += 2;
  reader.depth += 1;
  const inner = readOne(reader);
  reader.depth -= 1;
  if (inner === undefined) return undefined;
  return word === "array" ? { kind: "array", items: inner } : { kind: "map", values: inner };
}

function readTuple(reader: Reader): TypeExpression | undefined {
  reader.at += 2;
  if (!taken(reader, "[")) return undefined;
  const items = readSeparated(reader, ",", readUnion);
  return items !== undefined && taken(reader, "]") ? { kind: "tuple", items } : undefined;
}

function readSeparated(
  reader: Reader,
  separator: string,
  read: (reader: Reader) => TypeExpression | undefined,
): readonly TypeExpression[] | undefined {
  const found: TypeExpression[] = [];
  do {
    const next = read(reader);
    if (next === undefined) return undefined;
    found.push(next);
  } while (taken(reader, separator));
  return found;
}

function taken(reader: Reader, token: string): boolean {
  if (reader.tokens[reader.at] !== token) return false;
  reader.at += 1;
  return true;
}
