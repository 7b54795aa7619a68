/** Characters of which an id has so many in a row. */
export type IdPart = readonly [characters: string, times: number];

/** Makes ids of these parts; each of its characters is as likely as the others. */
export const drawnIds =
  (...parts: readonly IdPart[]) =>
  (): string =>
    parts
      .flatMap(([characters, times]) =>
        Array.from({ length: times }, () => characters[below(characters.length)]),
      )
      .join("");

/** A number that is less than `limit`, of at most 128. */
function below(limit: number): number {
  const [byte = 0] = crypto.getRandomValues(new Uint8Array(1));
  return byte < 256 - (256 % limit) ? byte % limit : below(limit);
}
