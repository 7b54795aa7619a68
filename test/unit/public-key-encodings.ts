import { execFileSync } from "node:child_process";
import { createPublicKey, generateKeyPairSync } from "node:crypto";
import { hex32, pointAt, prime } from "./ecdsa-curve.ts";

const pair = generateKeyPairSync("ec", { namedCurve: "P-256" });
const privateKeyPem = pair.privateKey.export({ type: "sec1", format: "pem" }).toString();
const good = pair.publicKey.export({ type: "spki", format: "der" });
const point = good.subarray(-65);

/** The public half, as openssl writes it on request. */
function byOpenssl(...options: readonly string[]): string {
  return execFileSync("openssl", ["ec", "-pubout", ...options], {
    input: privateKeyPem,
    stdio: ["pipe", "pipe", "ignore"],
  }).toString();
}

export function pemOfDer(der: Uint8Array): string {
  const lines =
    Buffer.from(der)
      .toString("base64")
      .match(/.{1,64}/g) ?? [];
  return `-----BEGIN PUBLIC KEY-----\n${lines.join("\n")}\n-----END PUBLIC KEY-----\n`;
}

const withPoint = (bytes: Uint8Array) =>
  pemOfDer(
    Buffer.concat([Buffer.from("3059301306072a8648ce3d020106082a8648ce3d030107034200", "hex"), bytes]),
  );
const edited = (at: number, ...bytes: readonly number[]) => {
  const copy = Buffer.from(good);
  copy.set(bytes, at);
  return pemOfDer(copy);
};
const hybrid = Buffer.concat([Buffer.of(0x06 + ((point.at(-1) ?? 0) & 1)), point.subarray(1)]);
const onCurve = pointAt(5n) ?? { x: 0n, y: 0n };

/** Keys in the one encoding that is taken (D-17, D-56), which openssl wrote. */
export const goodKeys: readonly (readonly [string, string])[] = [
  ["openssl", byOpenssl()],
  ["openssl, told the form", byOpenssl("-conv_form", "uncompressed", "-param_enc", "named_curve")],
  ["Node", pemOfDer(good)],
  ["CRLF", pemOfDer(good).replaceAll("\n", "\r\n")],
  [
    "all in two lines of 76 and 48",
    pemOfDer(good)
      .replaceAll(/\n(?!-|$)/g, "")
      .replace("-M", "-\nM")
      .replace(/(M.{75})/, "$1\n"),
  ],
];

/** The same key, or nearly, in every other encoding; each is `BAD_INPUT` (D-56). */
export const refusedKeys: readonly (readonly [string, string])[] = [
  ["compressed", byOpenssl("-conv_form", "compressed")],
  ["hybrid", byOpenssl("-conv_form", "hybrid")],
  ["hybrid, by hand", withPoint(hybrid)],
  ["hybrid of the other y", withPoint(Buffer.concat([Buffer.of((hybrid[0] ?? 0) ^ 1), hybrid.subarray(1)]))],
  ["explicit parameters", byOpenssl("-param_enc", "explicit")],
  ["explicit parameters, compressed", byOpenssl("-param_enc", "explicit", "-conv_form", "compressed")],
  ["a byte after it", pemOfDer(Buffer.concat([good, Buffer.of(0)]))],
  ["a NULL after it", pemOfDer(Buffer.concat([good, Buffer.of(5, 0)]))],
  ["itself after it", pemOfDer(Buffer.concat([good, good]))],
  ["a byte too few", pemOfDer(good.subarray(0, -1))],
  [
    "a byte within, after the point",
    pemOfDer(Buffer.concat([Buffer.of(0x30, 0x5a), good.subarray(2), Buffer.of(0)])),
  ],
  ["length in long form", pemOfDer(Buffer.concat([Buffer.of(0x30, 0x81, 0x59), good.subarray(2)]))],
  ["length indefinite", pemOfDer(Buffer.concat([Buffer.of(0x30, 0x80), good.subarray(2), Buffer.of(0, 0)]))],
  ["unused bits", edited(25, 1)],
  ["another algorithm's id", edited(12, 2)],
  ["another curve's id", edited(22, 6)],
  [
    "parameters NULL",
    pemOfDer(Buffer.from("304f300906072a8648ce3d0201034200".concat(point.toString("hex")), "hex")),
  ],
  [
    "the point at infinity",
    pemOfDer(Buffer.from("3019301306072a8648ce3d020106082a8648ce3d03010703020000", "hex")),
  ],
  ["64 zeros", withPoint(Buffer.concat([Buffer.of(4), Buffer.alloc(64)]))],
  ["a point that is not on the curve", edited(90, (good[90] ?? 0) ^ 1)],
  [
    "x not below the prime",
    withPoint(Buffer.from(`04${hex32(onCurve.x + prime)}${hex32(onCurve.y)}`, "hex")),
  ],
  [
    "P-384",
    pemOfDer(
      generateKeyPairSync("ec", { namedCurve: "P-384" }).publicKey.export({ type: "spki", format: "der" }),
    ),
  ],
  [
    "secp256k1",
    pemOfDer(
      generateKeyPairSync("ec", { namedCurve: "secp256k1" }).publicKey.export({
        type: "spki",
        format: "der",
      }),
    ),
  ],
  ["SEC 1, not SPKI", pemOfDer(point)],
];

/** openssl's reading of a refused key: it accepts most of them, which is why they are refused here. */
export function isKeyToOpenssl(pem: string): boolean {
  try {
    return createPublicKey(pem).asymmetricKeyDetails?.namedCurve === "prime256v1";
  } catch {
    return false;
  }
}
