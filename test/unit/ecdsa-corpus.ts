import { createHash } from "node:crypto";
import {
  generator,
  hex32,
  inverse,
  mod,
  multiply,
  order,
  pemOf,
  pointAt,
  prime,
  add,
} from "./ecdsa-curve.ts";
import { brokenElement, derInteger, derSignature, otherTypes, tlv, type Broken } from "./ecdsa-encodings.ts";

/** One signature of a payload, and whether it is one. */
export interface SignatureVector {
  readonly what: string;
  readonly publicKeyPem: string;
  /** JSON of the payload that is signed. */
  readonly payload: string;
  readonly signature: Buffer;
  readonly valid: boolean;
}

const payload = `{"ID":"account-1"}`;
const hashOf = (text: string) => BigInt(`0x${createHash("sha256").update(text).digest("hex")}`);
const e = hashOf(payload);
const p1363 = (r: bigint, s: bigint) => Buffer.from(hex32(r) + hex32(s), "hex");

/** The x of kG, as a number below the order. */
function rOf(k: bigint): bigint {
  return mod(multiply(k, generator)?.x ?? 0n, order);
}

function signed(hash: bigint, d: bigint, k: bigint): readonly [bigint, bigint] {
  const r = rOf(k);
  return [r, mod((hash + r * d) * inverse(k, order), order)];
}

function publicKeyOf(d: bigint): string {
  const point = multiply(d, generator);
  if (point === undefined) throw new Error("no key has the factor 0");
  return pemOf(point);
}

const someKey = 0x1234567890abcdef1234567890abcdef1234567890abcdef1234567890abcdefn;
const someNonce = 0x0fedcba987654321fedcba987654321fedcba987654321fedcba98765432100fn;
const somePem = publicKeyOf(someKey);
const [r, s] = signed(e, someKey, someNonce);

const invalid = ([what, signature]: Broken): SignatureVector => ({
  what,
  publicKeyPem: somePem,
  payload,
  signature,
  valid: false,
});

/** The same numbers in both encodings. */
function both(what: string, publicKeyPem: string, [one, two]: readonly [bigint, bigint], text = payload) {
  const vector = { publicKeyPem, payload: text, valid: true };
  return [
    { ...vector, what: `${what}, DER`, signature: derSignature(one, two) },
    { ...vector, what: `${what}, P1363`, signature: p1363(one, two) },
  ];
}

/** Signatures whose bytes are not the one encoding of their numbers. */
function encodings(): readonly SignatureVector[] {
  const [rBytes, sBytes] = [derInteger(r), derInteger(s)];
  const inSequence = (...parts: readonly Buffer[]) => tlv(0x30, Buffer.concat(parts));
  const named = (name: string, wrap: (bytes: Buffer) => Buffer, broken: readonly Broken[]) =>
    broken.map(([what, bytes]): Broken => [`${name}: ${what}`, wrap(bytes)]);
  const found: readonly Broken[] = [
    ...named("sequence", (bytes) => bytes, brokenElement(inSequence(rBytes, sBytes))),
    ...named("r", (bytes) => inSequence(bytes, sBytes), brokenElement(rBytes)),
    ...named("s", (bytes) => inSequence(rBytes, bytes), brokenElement(sBytes)),
    ...named("r is", (bytes) => inSequence(bytes, sBytes), otherTypes),
    ...named("s is", (bytes) => inSequence(rBytes, bytes), otherTypes),
    ["r and s changed places", inSequence(sBytes, rBytes)],
    ["a third number", inSequence(rBytes, sBytes, derInteger(1n))],
    ["nothing in the sequence", inSequence()],
    ["a zero before it", Buffer.concat([Buffer.of(0), inSequence(rBytes, sBytes)])],
  ];
  return found.map(invalid);
}

/** Numbers that are no r or no s, and some that are equal to one only modulo something. */
function ranges(): readonly SignatureVector[] {
  const special = [0n, 1n, -1n, order - 1n, order, order + 1n, prime, prime + 1n];
  const near = (value: bigint) => [
    value + order,
    value - order,
    value + 256n * order,
    -value,
    -order - value,
    value + 2n ** 256n,
    value + 2n ** 320n,
  ];
  const pairs: (readonly [bigint, bigint])[] = [
    ...special.flatMap((one) => special.map((two) => [one, two] as const)),
    ...[...near(r), order - r].map((one) => [one, s] as const),
    ...near(s).map((two) => [r, two] as const),
    ...special.flatMap((value) => [[value, s] as const, [r, value] as const]),
  ];
  return pairs.flatMap(([one, two]) => {
    const fits = [one, two].every((value) => value >= 0n && value < 2n ** 256n);
    const what = `r ${one.toString(16)}, s ${two.toString(16)}`;
    return [
      invalid([`${what}, DER`, derSignature(one, two)]),
      ...(fits ? [invalid([`${what}, P1363`, p1363(one, two)])] : []),
    ];
  });
}

/** r‖s of another size than 64 bytes. */
function sizes(): readonly SignatureVector[] {
  const good = p1363(r, s);
  const zeros = (bytes: number) => Buffer.alloc(bytes);
  const found: readonly Broken[] = [
    ["no byte", zeros(0)],
    ["one byte", zeros(1)],
    ["r alone", good.subarray(0, 32)],
    ["a byte too few", good.subarray(0, 63)],
    ["a byte too many", Buffer.concat([good, zeros(1)])],
    ["a byte before", Buffer.concat([zeros(1), good])],
    ["numbers of 33 bytes", Buffer.concat([zeros(1), good.subarray(0, 32), zeros(1), good.subarray(32)])],
    ["numbers of 64 bytes", Buffer.concat([zeros(32), good.subarray(0, 32), zeros(32), good.subarray(32)])],
    ["there twice", Buffer.concat([good, good])],
    ["64 zeros", zeros(64)],
  ];
  return found.map(([what, bytes]) => invalid([`P1363, ${what}`, bytes]));
}

/** Good signatures whose arithmetic goes along an edge. */
function edges(): readonly SignatureVector[] {
  const found = [
    ...both("plain", somePem, [r, s]),
    ...both("s negated, which anybody can do", somePem, [r, order - s]),
  ];
  for (const d of [1n, 2n, 3n, order - 1n, order - 2n, order / 2n]) {
    found.push(...both(`private key ${d.toString(16)}`, publicKeyOf(d), signed(e, d, someNonce)));
  }
  for (const k of [1n, 2n, order - 1n, order / 2n]) {
    found.push(...both(`nonce ${k.toString(16)}`, somePem, signed(e, someKey, k)));
  }
  for (const small of [1n, 2n, 3n, 127n, 128n, 255n, 256n, order - 1n, order - 2n, order / 2n, 2n ** 128n]) {
    const d = mod((small * someNonce - e) * inverse(r, order), order);
    found.push(...both(`s ${small.toString(16)}`, publicKeyOf(d), [r, small]));
  }
  const doubling = mod(e * inverse(r, order), order);
  found.push(...both("both summands are one point", publicKeyOf(doubling), signed(e, doubling, someNonce)));
  return [...found, ...smallR(), ...specialHashes()];
}

/** Keys found from the signature: r is the x of a point whose factor nobody knows. */
function smallR(): readonly SignatureVector[] {
  const xs = [5n, 6n, 8n, order, order + 2n, order + 3n, order + 5n, prime - 3n, 2n ** 128n, 2n ** 255n];
  return xs.flatMap((x) => {
    const point = pointAt(x);
    const small = mod(x, order);
    if (point === undefined || small === 0n) return [];
    const byR = inverse(small, order);
    const key = add(multiply(s * byR, point), multiply(-e * byR, generator));
    return key === undefined ? [] : both(`x of the nonce's point ${x.toString(16)}`, pemOf(key), [small, s]);
  });
}

/** Payloads whose hash begins or ends with twelve equal bits. */
function specialHashes(): readonly SignatureVector[] {
  const wanted = [/^000/, /^fff/, /000$/, /fff$/];
  return wanted.flatMap((pattern) => {
    for (let count = 0; ; count += 1) {
      const text = `{"ID":"account-1","n":"${count}"}`;
      const hash = hashOf(text);
      if (pattern.test(hex32(hash)))
        return both(`hash ${pattern.source}`, somePem, signed(hash, someKey, someNonce), text);
    }
  });
}

/** Good signatures of something else, and numbers that bring verification to the point at infinity. */
function others(): readonly SignatureVector[] {
  const infinite = mod(-e * inverse(someKey, order), order);
  const elsewhere = signed(hashOf('{"ID":"account-2"}'), someKey, someNonce);
  const found: readonly Broken[] = [
    ["of another payload, DER", derSignature(...elsewhere)],
    ["of another payload, P1363", p1363(...elsewhere)],
    ["by another key, DER", derSignature(...signed(e, someKey + 1n, someNonce))],
    ["sum at infinity, DER", derSignature(infinite, s)],
    ["sum at infinity, P1363", p1363(infinite, s)],
    ["of a hash not hashed, DER", derSignature(...signed(mod(e >> 1n, order), someKey, someNonce))],
  ];
  return found.map(invalid);
}

/**
 * The classes of Project Wycheproof's vectors for ecdsa_secp256r1_sha256 in both encodings. They sign payloads of
 * this service, since the original texts are not JSON objects.
 */
export const signatureVectors: readonly SignatureVector[] = [
  ...edges(),
  ...encodings(),
  ...ranges(),
  ...sizes(),
  ...others(),
];
