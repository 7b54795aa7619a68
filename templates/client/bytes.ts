/** Bytes in memory of their own, whatever the compiler's version calls them. */
export type Bytes = ReturnType<InstanceType<typeof TextEncoder>["encode"]>;

export const encoder: InstanceType<typeof TextEncoder> = /* @__PURE__ */ new TextEncoder();

/** Standard base64 with padding; a text is that already. */
export function base64(bytes: string | Uint8Array | ArrayBuffer): string {
  // Spreading the bytes would take three times as long.
  return typeof bytes === "string"
    ? bytes
    : btoa(Reflect.apply(String.fromCharCode, undefined, new Uint8Array(bytes)));
}

/** What the header `Authorization` has of a name and a password (RFC 7617), in UTF-8. */
export function basicText(userName: string, password: string): string {
  return `Basic ${base64(encoder.encode(`${userName}:${password}`))}`;
}
