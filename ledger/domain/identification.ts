/**
 * The values of all members named `Identification` in a JSON text, without their quotes. Inside a text of JSON every
 * quote has a backslash before it, so nothing else looks like one.
 */
const identifications = /("Identification"\s*:\s*")((?:[^"\\]|\\.)*)(?=")/g;

/** The JSON text with the value of every `Identification` (SSN or TIN of a party, section 2.7) put through `map`. */
export function mapIdentifications(json: string, map: (value: string) => string): string {
  if (!json.includes('"Identification"')) return json;
  return json.replaceAll(identifications, (_all, name: string, value: string) => name + map(value));
}
