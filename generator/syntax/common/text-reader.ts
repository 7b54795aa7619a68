import type { SourceText, Span } from "../../source/index.ts";

/** Thrown for text that is not of the common form: then the YAML parser reads the file. */
export class OtherForm extends Error {}

/** Says that the text is not of the common form, or not known to be. */
export function otherForm(): never {
  throw new OtherForm();
}

/** Where a reader stands in a text. */
export class TextReader {
  readonly source: SourceText;
  readonly text: string;
  at = 0;

  constructor(source: SourceText) {
    this.source = source;
    this.text = source.text;
  }

  /** The character here; empty at the end of the text. */
  get here(): string {
    return this.text.charAt(this.at);
  }

  /** The offset of the line break, or of the end of the text, at or after an offset. */
  lineEnd(from = this.at): number {
    const end = this.text.indexOf("\n", from);
    return end === -1 ? this.text.length : end;
  }

  /** How many blanks there are from an offset on. */
  blanksFrom(start: number): number {
    let at = start;
    while (this.text.charCodeAt(at) === blank) at += 1;
    return at - start;
  }

  skipBlanks(): void {
    this.at += this.blanksFrom(this.at);
  }

  /** Ends a line after a value: what is left of it is nothing or a comment. Goes on to the next line of content. */
  endLine(): void {
    const isApart = this.skippedBlanks() > 0;
    if (this.here === "#" && !isApart) otherForm();
    if (this.here === "#") this.at = this.lineEnd();
    else if (this.here !== "\n" && this.at < this.text.length) otherForm();
    this.nextContent();
  }

  /** From the end of a line, or the beginning of the text, to the first character of the next line of content. */
  nextContent(): void {
    while (this.at < this.text.length) {
      if (this.here === "\n") this.at += 1;
      const start = this.at;
      this.skipBlanks();
      if (this.here === "#") this.at = this.lineEnd();
      else if (this.here !== "\n") {
        if (this.at === start && /^(?:---|\.\.\.)/.test(this.text.slice(start, start + 3))) otherForm();
        return;
      }
    }
  }

  /** How far the character here stands from the beginning of its line. */
  get column(): number {
    return this.at - (this.text.lastIndexOf("\n", this.at - 1) + 1);
  }

  spanFrom(start: number, end = this.at): Span {
    return { source: this.source, start, end: trimmedEnd(this.text, start, end) };
  }

  skippedBlanks(): number {
    const count = this.blanksFrom(this.at);
    this.at += count;
    return count;
  }
}

/** The offset after the last character between two offsets that can be seen. */
export function trimmedEnd(text: string, start: number, end: number): number {
  let at = end;
  while (at > start && isUnseen(text, at - 1)) at -= 1;
  return at;
}

function isUnseen(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  // Nearly every text ends with a letter, which no pattern is needed for.
  return (code <= blank || code > 0x7e) && /\s/.test(text.charAt(at));
}

const blank = 0x20;
