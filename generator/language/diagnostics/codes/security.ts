import { didYouMean, entry, listed } from "../entry.ts";

/** A whole spec of a standard interface with authentication. */
const secured = (schemes: string, security = "[{ user: [] }]"): string =>
  "interface:\n  name: tasks\n  wire: { protocol: json-rpc-2.0 }\n  schemes:\n" +
  `    ${schemes}\n${security === "" ? "" : `  security: ${security}\n`}` +
  "methods:\n  list:\n    payload: { fields: [{ name: state, type: string }] }\n";

const jwt = "user: { kind: jwt, algorithms: [ES256] }";

/** The diagnostics of authentication schemes and of the methods that name them. */
export const securityCodes = {
  "scheme-kind-unknown": entry<{ kind: string; known: readonly string[]; suggestion: string | undefined }>({
    message: ({ kind }) => `\`${kind}\` is no kind of authentication scheme`,
    hint: ({ kind, known, suggestion }) =>
      kind === "envelope"
        ? "the signed envelope is the protocol `signed-envelope`, with `auth` of the interface"
        : (didYouMean({ suggestion }) ??
          `the kinds are ${listed(known)}; one of your own is called \`x-<name>\``),
    rule: "A scheme is of one of the kinds that docs/authentication.md describes, or of one of your own, whose name begins with `x-`.",
    example: [secured("user: { kind: oauth }"), secured(jwt)],
  }),
  "security-too-large": entry<{ most: number }>({
    message: ({ most }) => `this \`security\` names more than ${most} schemes and scopes`,
    hint: () => "let one scope stand for several",
    rule: "The alternatives of a method name 200 schemes and scopes together at most. The suite tries each of them beside all others, so it grows with the square.",
    example: [
      secured(jwt, `[{ user: [${Array.from({ length: 200 }, (_, at) => `scope${at}`).join(", ")}] }]`),
      secured(jwt, "[{ user: [read, write] }]"),
    ],
  }),
  "scheme-option-unknown": entry<{
    option: string;
    kind: string;
    takes: readonly string[];
    suggestion: string | undefined;
  }>({
    message: ({ option, kind }) => `\`${option}\` is no option of the kind \`${kind}\``,
    hint: ({ kind, takes, suggestion }) =>
      didYouMean({ suggestion }) ??
      (takes.length === 0 ? `\`${kind}\` takes no options` : `\`${kind}\` takes ${listed(takes)}`),
    rule: "Each kind has options of its own, which docs/authentication.md lists. An option that nothing reads would promise a check that is never made.",
    example: secured("user: { kind: bearer⟨, header: X-Token  →  ⟩}"),
  }),
  "scheme-option-missing": entry<{ scheme: string; option: string; kind: string }>({
    message: ({ scheme, option, kind }) =>
      `\`${scheme}\` has no \`${option}\`, which the kind \`${kind}\` needs`,
    rule: "`jwt` and `message-signature` say their `algorithms`, `api-key` and `hmac` their `header`, `hmac` also what it `covers`.",
    example: secured("user: { kind: api-key⟨  → , header: X-Api-Key ⟩}"),
  }),
  "scheme-algorithms": entry<{
    problem: "empty" | "unknown" | "mixed";
    name?: string;
    kind: string;
    known: readonly string[];
  }>({
    message: ({ problem, name = "", kind }) => {
      if (problem === "empty") return "the list of algorithms is empty: nothing could be accepted";
      if (problem === "mixed") return "these algorithms mix shared secrets with public keys";
      return name.toLowerCase() === "none"
        ? "`none` is no signature: everyone can make one"
        : `\`${name}\` is no algorithm of the kind \`${kind}\``;
    },
    hint: ({ problem, known }) =>
      problem === "mixed"
        ? "declare two schemes, one for each, and list them as alternatives under `security`"
        : `write some of ${listed(known)}`,
    rule: "A scheme lists the algorithms that it accepts, all for shared secrets or all for public keys. With both, a caller could sign with the public key as if it were the secret (RFC 8725, section 3.1).",
    example: [secured("user: { kind: jwt, algorithms: [none] }"), secured(jwt)],
  }),
  "scheme-covers": entry<{
    unknown?: string;
    missing: readonly string[];
    kind: string;
    known: readonly string[];
  }>({
    message: ({ unknown, missing, kind }) =>
      unknown === undefined
        ? `the signature does not cover ${listed(missing)}`
        : `\`${unknown}\` is nothing that \`${kind}\` can cover`,
    hint: ({ unknown, missing, known }) =>
      unknown === undefined ? `add ${listed(missing)}` : `write some of ${listed(known)}`,
    rule: "`hmac` covers at least `timestamp` and `body`, `message-signature` at least `@method`, `@path` and `content-digest`: what is not covered can be changed on the way.",
    example: secured("user: { kind: hmac, header: X-Signature, covers: [⟨ → timestamp, ⟩body] }"),
  }),
  "scheme-secret": entry<{ option: string }>({
    message: ({ option }) => `\`${option}\` belongs to the service, not into a spec`,
    hint: () => "drop it here, and give it to the verifier where the service is started",
    rule: "A spec is published: it names no key, secret, password or token, and no address of keys. Those are options of the verifier.",
    example: secured('user: { kind: jwt, algorithms: [HS256]⟨, secret: "0123456789"  →  ⟩}'),
  }),
  "unknown-scheme": entry<{ name: string; known: readonly string[]; suggestion: string | undefined }>({
    message: ({ name }) => `there is no authentication scheme \`${name}\``,
    hint: ({ known, suggestion }) =>
      didYouMean({ suggestion }) ??
      (known.length === 0
        ? "declare it under `schemes` of the interface"
        : `the interface declares ${listed(known)}`),
    rule: "What `security` names is declared under `schemes` of the interface.",
    example: [secured(jwt, "[{ users: [] }]"), secured(jwt)],
  }),
  "scopes-without-meaning": entry<{ scheme: string; kind: string }>({
    message: ({ scheme, kind }) => `\`${scheme}\` is of kind \`${kind}\`, which grants no scopes`,
    hint: () => "write `[]`, and let the handler decide what this caller may do",
    rule: "`bearer`, `jwt`, `api-key` and kinds of your own grant scopes. The others only prove who calls.",
    example: [secured("user: { kind: basic }", "[{ user: [write] }]"), secured("user: { kind: basic }")],
  }),
  "security-same-header": entry<{ first: string; second: string; header: string }>({
    message: ({ first, second, header }) =>
      `\`${first}\` and \`${second}\` both travel in the header \`${header}\`: no request can have both`,
    hint: () => "list them as two alternatives, or give one of them another header",
    rule: "Schemes in one alternative all have to hold for the same request, so each needs a header of its own.",
    example: [
      secured(`${jwt}\n    staff: { kind: basic }`, "[{ user: [], staff: [] }]"),
      secured(`${jwt}\n    staff: { kind: basic }`, "[{ user: [] }, { staff: [] }]"),
    ],
  }),
  "method-security-missing": entry<{ method: string; scheme: string }>({
    message: ({ method }) => `\`${method}\` does not say what its callers prove`,
    hint: ({ scheme }) =>
      `write \`security: [{ ${scheme}: [] }]\` at the method or the interface, or \`security: []\` for an open method`,
    rule: "Where an interface declares schemes, every method has `security`, its own or that of the interface. An open method says so: `security: []`.",
    example: [secured(jwt, ""), secured(jwt)],
  }),
  "scheme-unused": entry<{ scheme: string }>({
    severity: "warning",
    message: ({ scheme }) => `no method asks for the scheme \`${scheme}\``,
    hint: () => "name it under `security`, or drop it",
    rule: "A service needs a verifier for every scheme that the interface declares. One that nothing asks for only costs that.",
    example: [
      secured(`${jwt}\n    staff: { kind: basic }`),
      secured(`${jwt}\n    staff: { kind: basic }`, "[{ user: [] }, { staff: [] }]"),
    ],
  }),
};
