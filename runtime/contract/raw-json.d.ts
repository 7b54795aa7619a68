/** Part of ECMAScript (JSON.parse source text access, stage 4) and of Node 22; TypeScript's library lacks it. */
interface JSON {
  rawJSON(text: string): unknown;
}
