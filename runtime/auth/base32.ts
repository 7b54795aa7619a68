const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
const bitsPerDigit = 5;

/** Bytes in base 32 (RFC 4648, section 6) without padding, as authenticator apps take secrets. */
export function base32(bytes: Uint8Array): string {
  const bits = Array.from(bytes, (byte) => byte.toString(2).padStart(8, "0")).join("");
  let digits = "";
  for (let at = 0; at < bits.length; at += bitsPerDigit) {
    digits += alphabet.charAt(
      Number.parseInt(bits.slice(at, at + bitsPerDigit).padEnd(bitsPerDigit, "0"), 2),
    );
  }
  return digits;
}
