interface Transport {
  readonly kind: string;
  /** The members of `params.api` that an operation in an envelope asks for. */
  readonly auth?: readonly string[];
}

/** Whether an operation asks its callers to prove a key. One for callers who have none yet lists no part of such a proof. */
export function provesKey({ kind, auth = [] }: Transport): boolean {
  return kind === "flat" || (kind === "enveloped" && (auth.includes("keyId") || auth.includes("signature")));
}
