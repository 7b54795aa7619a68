import { createPublicKey } from "node:crypto";

/** P-256 (FIPS 186-5, SP 800-186) in plain big integers: an implementation apart from the one under test. */
export const order = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n;
export const prime = 0xffffffff00000001000000000000000000000000ffffffffffffffffffffffffn;
const b = 0x5ac635d8aa3a93e7b3ebbd55769886bc651d06b0cc53b0f63bce3c3e27d2604bn;

export interface Point {
  readonly x: bigint;
  readonly y: bigint;
}

export const generator: Point = {
  x: 0x6b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296n,
  y: 0x4fe342e2fe1a7f9b8ee7eb4a7c0f9e162bce33576b315ececbb6406837bf51f5n,
};

export function mod(value: bigint, modulus: bigint): bigint {
  const rest = value % modulus;
  return rest < 0n ? rest + modulus : rest;
}

export function power(base: bigint, exponent: bigint, modulus: bigint): bigint {
  let result = 1n;
  for (let square = mod(base, modulus), left = exponent; left > 0n; left >>= 1n) {
    if ((left & 1n) === 1n) result = (result * square) % modulus;
    square = (square * square) % modulus;
  }
  return result;
}

/** Modulo a prime, by Euclid's extended algorithm. */
export function inverse(value: bigint, modulus: bigint): bigint {
  let [low, high] = [mod(value, modulus), modulus];
  let [factor, last] = [1n, 0n];
  while (low > 1n) {
    const quotient = high / low;
    [low, high] = [high % low, low];
    [factor, last] = [last - quotient * factor, factor];
  }
  return mod(factor, modulus);
}

export function add(one: Point | undefined, other: Point | undefined): Point | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  if (one.x === other.x && mod(one.y + other.y, prime) === 0n) return undefined;
  const slope =
    one.x === other.x
      ? (3n * one.x * one.x - 3n) * inverse(2n * one.y, prime)
      : (other.y - one.y) * inverse(mod(other.x - one.x, prime), prime);
  const x = mod(slope * slope - one.x - other.x, prime);
  return { x, y: mod(slope * (one.x - x) - one.y, prime) };
}

/** Nothing stands for the point at infinity. */
export function multiply(factor: bigint, point: Point): Point | undefined {
  let result: Point | undefined;
  let doubled: Point | undefined = point;
  for (let left = mod(factor, order); left > 0n; left >>= 1n) {
    if ((left & 1n) === 1n) result = add(result, doubled);
    doubled = add(doubled, doubled);
  }
  return result;
}

/** A point with this x, if there is one. */
export function pointAt(x: bigint): Point | undefined {
  const square = mod(x * x * x - 3n * x + b, prime);
  const y = power(square, (prime + 1n) / 4n, prime);
  return (y * y) % prime === square ? { x, y } : undefined;
}

export function hex32(value: bigint): string {
  return value.toString(16).padStart(64, "0");
}

export function pemOf({ x, y }: Point): string {
  const base64Url = (value: bigint) => Buffer.from(hex32(value), "hex").toString("base64url");
  const jwk = { kty: "EC", crv: "P-256", x: base64Url(x), y: base64Url(y) };
  return createPublicKey({ key: jwk, format: "jwk" }).export({ type: "spki", format: "pem" }).toString();
}
