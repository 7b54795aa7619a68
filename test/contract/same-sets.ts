/** What only one side has, in words. */
export function sameSets(
  what: string,
  document: Iterable<string>,
  spec: Iterable<string>,
): readonly string[] {
  const inDocument = new Set(document);
  const inSpec = new Set(spec);
  return [
    ...[...inDocument.difference(inSpec)].map((each) => `${what} "${each}": the spec lacks it`),
    ...[...inSpec.difference(inDocument)].map((each) => `${what} "${each}": the document lacks it`),
  ];
}

/** Without backticks, case and final full stop: the two sides punctuate differently. */
export function plain(text: string): string {
  return text.replaceAll("`", "").replace(/\.$/, "").trim().toLowerCase();
}
