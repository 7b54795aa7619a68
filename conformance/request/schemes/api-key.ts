import { givenToken, headerKey, namedHeader, newSecret, type SchemeKind } from "./scheme.ts";

/** A key alone, in the header that the spec names. */
export const apiKey: SchemeKind = {
  kind: "api-key",
  required: ["header"],
  optional: [],
  hasScopes: true,
  header: (options) => namedHeader(options)?.toLowerCase(),
  access: {
    needed: ["key"],
    more: ["limited", "expired"],
    example: '{ "key": "…" }',
    made: () => ({ key: newSecret(), limited: newSecret(), expired: newSecret() }),
  },
  variable: {
    header: (options) => namedHeader(options) ?? "X-Api-Key",
    before: "",
    value: ({ key = "" }) => key,
  },
  changes: () => ["empty", "wrong", "expired"],
  credential(task) {
    const { scheme, plan, credential } = task;
    const header = (namedHeader(scheme.options) ?? "X-Api-Key").toLowerCase();
    const key = givenToken(task, credential.key);
    return { [header]: plan.change === "empty" ? "" : key };
  },
  client: {
    type: "KeyCredential",
    value: "apiKey",
    arguments: ({ options }) => [namedHeader(options) ?? ""],
    example: '"your-api-key"',
    fake: '"fake"',
  },
  page: { lines: (options) => [`${namedHeader(options) ?? ""}: <key>`] },
  openApi: headerKey,
};
