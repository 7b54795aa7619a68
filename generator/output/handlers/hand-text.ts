/** A file's bytes as text: what its author wrote, and what goes before it. */
export interface HandText {
  /** The byte order mark, where there is one. */
  readonly mark: string;
  readonly text: string;
}

/** Undefined where the bytes are not UTF-8: written back, they would not be the same. */
export function handText(bytes: Buffer): HandText | undefined {
  try {
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
    const mark = text.startsWith("\uFEFF") ? "\uFEFF" : "";
    return { mark, text: text.slice(mark.length) };
  } catch {
    return undefined;
  }
}

/** The line end that a text uses at a place: that of the line there, or else of its first line. */
export function lineEndAt(text: string, at: number): string {
  const here = /\r?\n/.exec(text.slice(at))?.[0];
  return here ?? /\r?\n/.exec(text)?.[0] ?? "\n";
}
