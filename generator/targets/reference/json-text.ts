/** A piece of a JSON text as it is shown, by what it is. */
export interface JsonToken {
  readonly kind: "key" | "string" | "number" | "word" | "mark";
  readonly text: string;
}

const tokens = /("(?:[^"\\]|\\.)*")(\s*:)?|(-?\d[\d.eE+-]*)|(true|false|null)|([^"\d\w-]+)/g;

/** A value as indented JSON in pieces: every character is in one of them. */
export function jsonTokens(value: unknown): readonly JsonToken[] {
  const text = JSON.stringify(value, undefined, 2);
  return [...text.matchAll(tokens)].flatMap(([, quoted, colon, number, word, mark]): JsonToken[] => {
    if (quoted !== undefined && colon !== undefined) {
      return [
        { kind: "key", text: quoted },
        { kind: "mark", text: colon },
      ];
    }
    if (quoted !== undefined) return [{ kind: "string", text: quoted }];
    if (number !== undefined) return [{ kind: "number", text: number }];
    if (word !== undefined) return [{ kind: "word", text: word }];
    return [{ kind: "mark", text: mark ?? "" }];
  });
}
