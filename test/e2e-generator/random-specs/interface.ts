/** An interface that signs, and errors for each of its faults: what every random spec stands on. */
export function interfaceAndErrors(name: string) {
  const members = ["credential", "keyId", "signature", "apiKey"];
  const faults = {
    badInput: "BAD_INPUT",
    unauthorized: "UNAUTHORIZED",
    badCredential: "BAD_CREDENTIAL",
    unknownKey: "UNKNOWN_KEY",
    invalidSignature: "INVALID_SIGNATURE",
    conflict: "CONFLICT",
    rateLimited: "RATE_LIMITED",
    unavailable: "UNAVAILABLE",
    internal: "INTERNAL",
  };
  const missing = ["BAD_CREDENTIAL", "UNKNOWN_KEY", "INVALID_SIGNATURE", "BAD_CREDENTIAL"];
  return {
    interface: {
      name,
      title: "Random",
      revision: "1.0.0",
      path: "/rpc",
      doc: "Whatever.",
      section: "1",
      services: { S: { doc: "S.", section: "1" } },
      auth: {
        members: Object.fromEntries(
          members.map((member, at) => [member, { doc: "Who.", missing: missing[at] ?? "", section: "1" }]),
        ),
        headers: {},
      },
      faults,
    },
    rules: {
      "control-characters": { doc: "Control characters are refused.", section: "1" },
    },
    errors: Object.fromEntries(
      [...new Set(Object.values(faults))].map((code, at) => [
        code,
        {
          doc: "Wrong.",
          section: "1",
          message: code === "BAD_INPUT" ? "{field} is wrong" : "It is wrong",
          condition: "Something is wrong.",
          action: "Right it.",
          httpStatus: 400 + at,
          rpcCode: -32_000 - at,
          everyMethod: true,
        },
      ]),
    ),
  };
}
