/**
 * Strings that match a regular expression, found by reading it: the first alternative that does, the first member of
 * each class, and repetitions as often as asked. Only texts that really match are given. For an expression that wants
 * more than this reads (back references, some look-around) there may be none.
 */
export function patternSamples(source: string, repetitions: readonly number[]): readonly string[] {
  const pattern = new RegExp(source, "u");
  const alternatives = Math.min(alternativesMax, source.split("|").length);
  const texts = repetitions.flatMap((times) => {
    for (let alternative = 0; alternative < alternatives; alternative += 1) {
      const text = new PatternReader(source, times, alternative).read();
      if (text !== undefined && text !== "" && pattern.test(text)) return [text];
    }
    return pattern.test("") ? [""] : [];
  });
  return [...new Set(texts)];
}

/** More alternatives are not looked at. */
const alternativesMax = 8;

const classMembers: Readonly<Record<string, string>> = { d: "0", D: "a", w: "a", W: "-", s: " ", S: "a" };
const controls: Readonly<Record<string, string>> = { n: "\n", r: "\r", t: "\t", f: "\f", v: "\v", "0": "\0" };
const likelyMembers = Array.from("aA0 -_.é");

/** Letters of Europe, Asia and Africa. */
const lettersBeyond = Array.from({ length: 0x3000 - 0xa1 }, (_, index) => String.fromCodePoint(0xa1 + index));

/** Longer texts are no samples: no request holds them by default. */
export const sampleCharactersMax = 1_048_576;

class PatternReader {
  readonly #source: string;
  readonly #times: number;
  readonly #alternative: number;
  #at = 0;

  constructor(source: string, times: number, alternative: number) {
    this.#source = source;
    this.#times = times;
    this.#alternative = alternative;
  }

  read(): string | undefined {
    const text = this.#alternatives();
    return this.#at === this.#source.length ? text : undefined;
  }

  /** The chosen alternative, or the last where there are fewer. Undefined where it is too long, as below. */
  #alternatives(): string | undefined {
    let chosen = this.#sequence();
    for (let at = 1; this.#take("|"); at += 1) {
      const next = this.#sequence();
      if (at <= this.#alternative) chosen = next;
    }
    return chosen;
  }

  #sequence(): string | undefined {
    let text: string | undefined = "";
    while (this.#at < this.#source.length && !/[|)]/.test(this.#peek())) {
      const atom = this.#atom();
      const count = this.#count();
      if (atom === undefined || (text?.length ?? 0) + atom.length * count > sampleCharactersMax)
        text = undefined;
      else if (text !== undefined) text += atom.repeat(count);
    }
    return text;
  }

  #atom(): string | undefined {
    if (this.#takeMatch(/^\(\?<?[=!]/u) !== undefined) {
      this.#alternatives();
      this.#take(")");
      return "";
    }
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
    const isMember = (character: string): boolean => pattern.test(character);
    const ascii = Array.from({ length: 94 }, (_, index) => String.fromCodePoint(33 + index));
    return (
      [...likelyMembers, ...ascii, ...characterClass].find(isMember) ?? lettersBeyond.find(isMember) ?? ""
    );
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
