/** The first sentence of a text, on one line. */
export function firstSentence(doc: string): string {
  return /^.*?[.!?](?=\s|$)/s.exec(doc)?.[0].replace(/\s+/g, " ") ?? doc;
}
