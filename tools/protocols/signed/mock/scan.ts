/** Limits of a signed envelope (D-10). */
const limits = { depth: 32, itemsPerArray: 1000, textCharacters: 4096 };
const refusedNames: ReadonlySet<string> = new Set(["__proto__", "constructor", "prototype"]);
const tokens = /"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s"{}[\],:]+/g;
// oxlint-disable-next-line no-control-regex -- control characters are what is refused
const control = /[\u0000-\u001F\u007F-\u009F]/;
const lineBreaks = /[\r\n]/g;

export type Scanned =
  | {
      readonly kind: "sound";
      readonly value: unknown;
      readonly payloadText: string | undefined;
      /** The names and indexes that lead to a text with a control character: it does not fit. */
      readonly controlAt: readonly string[] | undefined;
    }
  | { readonly kind: "unsound"; readonly reason: string };

/** An object or array that is being read. */
interface Open {
  /** For an object: the members so far. */
  readonly names: Set<string> | undefined;
  /** The member that is being read. */
  name: string;
  items: number;
}

/** How far a text has been read. */
interface Reading {
  readonly multiline: ReadonlySet<string>;
  readonly open: Open[];
  /** Whether the next text is the name of a member. */
  expectsName: boolean;
  payloadStart: number;
  payload: readonly [number, number] | undefined;
  controlAt: readonly string[] | undefined;
}

/**
 * Parses a request body, and finds the text of `params.payload` as it was sent: what is signed (D-15). `multiline` are
 * the names, in lower case, of members whose texts have lines (D-47).
 */
export function scan(text: string, multiline: ReadonlySet<string>): Scanned {
  try {
    const value: unknown = JSON.parse(text);
    const reading: Reading = {
      multiline,
      open: [],
      expectsName: false,
      payloadStart: -1,
      payload: undefined,
      controlAt: undefined,
    };
    // The text is sound JSON: its tokens and the blanks between them are all there is.
    for (const match of text.matchAll(tokens)) {
      const reason = take(reading, match[0], match.index);
      if (reason !== undefined) return { kind: "unsound", reason };
    }
    const { payload, controlAt } = reading;
    return { kind: "sound", value, payloadText: payload && text.slice(...payload), controlAt };
  } catch {
    return { kind: "unsound", reason: "syntax" };
  }
}

/** Takes the next token; gives what is wrong with it. */
function take(reading: Reading, token: string, at: number): string | undefined {
  const { open } = reading;
  switch (token[0]) {
    case '"':
      return takeText(reading, token);
    case "{":
    case "[":
      if (token === "{" && isPayload(open)) reading.payloadStart = at;
      open.push({ names: token === "{" ? new Set() : undefined, name: "", items: 0 });
      reading.expectsName = token === "{";
      return open.length > limits.depth ? "too-deep" : undefined;
    case "}":
    case "]":
      open.pop();
      reading.expectsName = false;
      if (reading.payloadStart >= 0 && isPayload(open)) reading.payload = [reading.payloadStart, at + 1];
      return undefined;
    case ",":
      return separate(reading);
    default:
      return /^[-\d]/.test(token) && !Number.isFinite(Number(token)) ? "infinite-number" : undefined;
  }
}

function takeText(reading: Reading, token: string): string | undefined {
  const { open, multiline } = reading;
  const around = open.at(-1);
  const text = String(JSON.parse(token));
  if (reading.expectsName && around?.names !== undefined) {
    if (refusedNames.has(text)) return "refused-name";
    if (around.names.has(text)) return "repeated-name";
    around.names.add(text);
    around.name = text;
    reading.expectsName = false;
  }
  const member = open.findLast(({ name }) => name !== "")?.name ?? "body";
  const line = multiline.has(member.toLowerCase()) ? text.replaceAll(lineBreaks, "") : text;
  if (control.test(line))
    reading.controlAt ??= open.map(({ names, name, items }) => (names === undefined ? String(items) : name));
  return textFault(text);
}

function separate(reading: Reading): string | undefined {
  const around = reading.open.at(-1);
  reading.expectsName = around?.names !== undefined;
  if (around === undefined || reading.expectsName) return undefined;
  around.items += 1;
  return around.items >= limits.itemsPerArray ? "array-too-long" : undefined;
}

/** Whether what is read next, or has just been read, is `params.payload`. */
function isPayload(open: readonly Open[]): boolean {
  return (
    open.length === 2 && open[0]?.name.toLowerCase() === "params" && open[1]?.name.toLowerCase() === "payload"
  );
}

function textFault(text: string): string | undefined {
  if (!text.isWellFormed()) return "lone-surrogate";
  const { textCharacters } = limits;
  return text.length > textCharacters && [...text].length > textCharacters ? "text-too-long" : undefined;
}
