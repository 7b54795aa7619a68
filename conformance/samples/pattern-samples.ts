/**
 * Strings that match a regular expression, found by reading it: the first alternative, the first member of each
 * class, and repetitions as often as asked. Only texts that really match are given; for an expression with something
 * that this does not read (look-around, back references) there may be none.
 */
export function patternSamples(source: string, repetitions: readonly number[]): readonly string[] {
  const pattern = new RegExp(source, "u");
  const texts = repetitions.flatMap((times) => {
    const text = new PatternReader(source, times).read();
    return text !== undefined && pattern.test(text) ? [text] : [];
  });
  return [...new Set(texts)];
}

const classMembers: Readonly<Record<string, string>> = { d: "0", D: "a", w: "a", W: "-", s: " ", S: "a" };
const controls: Readonly<Record<string, string>> = { n: "\n", r: "\r", t: "\t", f: "\f", v: "\v", "0": "\0" };
const likelyMembers = Array.from("aA0 -_.é");

/** Longer texts are no samples: no request holds them by default. */
export const sampleCharactersMax = 1_048_576;

class PatternReader {
  readonly #source: string;
  readonly #times: number;
  #at = 0;
  #isTooLong = false;

  constructor(source: string, times: number) {
    this.#source = source;
    this.#times = times;
  }

  read(): string | undefined {
    const text = this.#alternatives();
    return this.#at === this.#source.length && !this.#isTooLong ? text : undefined;
  }

  /** The first alternative; the others are passed over. */
  #alternatives(): string {
    const first = this.#sequence();
    while (this.#take("|")) this.#sequence();
    return first;
  }

  #sequence(): string {
    let text = "";
    while (this.#at < this.#source.length && !/[|)]/.test(this.#peek())) {
      const atom = this.#atom();
      const count = this.#count();
      if (text.length + atom.length * count > sampleCharactersMax) this.#isTooLong = true;
      else text += atom.repeat(count);
    }
    return text;
  }

  #atom(): string {
    const group = this.#takeMatch(/^\((?:\?:|\?<[^=!][^>]*>)?(?!\?)/u);
    if (group !== undefined) {
      const text = this.#alternatives();
      this.#take(")");
      return text;
    }
    const characterClass = this.#takeMatch(/^\[(?:\\.|[^\]\\])*\]/u);
    if (characterClass !== undefined) return this.#memberOf(characterClass);
    const property = this.#takeMatch(/^\\[pP]\{[^}]*\}/u);
    if (property !== undefined) return this.#memberOf(property);
    const escape = this.#takeMatch(/^\\(?:u\{[0-9A-Fa-f]+\}|u[0-9A-Fa-f]{4}|x[0-9A-Fa-f]{2}|.)/u);
    if (escape !== undefined) return this.#escaped(escape.slice(1));
    const character = this.#takeMatch(/^[^]/u) ?? "";
    if (character === "^" || character === "$") return "";
    return character === "." ? "a" : character;
  }

  #escaped(escape: string): string {
    const code = /^(?:u\{(.*)\}|u(....)|x(..))$/.exec(escape);
    if (code !== null) return String.fromCodePoint(parseInt(code[1] ?? code[2] ?? code[3] ?? "0", 16));
    if (/^[bB]$/.test(escape)) return "";
    return classMembers[escape] ?? controls[escape] ?? escape;
  }

  #memberOf(characterClass: string): string {
    const pattern = new RegExp(`^${characterClass}$`, "u");
    const ascii = Array.from({ length: 94 }, (_, index) => String.fromCodePoint(33 + index));
    return [...likelyMembers, ...ascii].find((character) => pattern.test(character)) ?? "";
  }

  #count(): number {
    const quantifier = this.#takeMatch(/^(?:[*+?]|\{\d+(?:,\d*)?\})\??/u);
    if (quantifier === undefined) return 1;
    const [least, most] = boundsOf(quantifier);
    return Math.min(Math.max(least, this.#times), most);
  }

  #peek(): string {
    return this.#source.charAt(this.#at);
  }

  #take(text: string): boolean {
    if (this.#peek() !== text) return false;
    this.#at += 1;
    return true;
  }

  #takeMatch(pattern: RegExp): string | undefined {
    const match = pattern.exec(this.#source.slice(this.#at))?.[0];
    this.#at += match?.length ?? 0;
    return match;
  }
}

function boundsOf(quantifier: string): readonly [least: number, most: number] {
  if (quantifier.startsWith("*")) return [0, Infinity];
  if (quantifier.startsWith("+")) return [1, Infinity];
  if (quantifier.startsWith("?")) return [0, 1];
  const [, least = "0", comma, most = ""] = /^\{(\d+)(?:(,)(\d*))?\}/.exec(quantifier) ?? [];
  return [Number(least), comma === undefined ? Number(least) : most === "" ? Infinity : Number(most)];
}
