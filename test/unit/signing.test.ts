import { execFileSync } from "node:child_process";
import { createPublicKey, generateKeyPairSync, sign, type KeyObject } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createVerifier } from "../../runtime/pipeline/index.ts";
import { decodeSignature, isSigned, lowSignature, readPublicKey } from "../../runtime/auth/signing/index.ts";
import { parseSignatureHeader } from "../../runtime/auth/signed-envelope/credential.ts";
import { createVerifyingPool } from "../../runtime/pipeline/verifying-pool.ts";
import { fc } from "../seed.ts";

const pair = () => generateKeyPairSync("ec", { namedCurve: "P-256" });
const pemOf = (key: KeyObject) => key.export({ type: "spki", format: "pem" }).toString();
const verifier = createVerifier();
let folder = "";

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "signing-"));
});
afterAll(() => rmSync(folder, { recursive: true }));

describe("signatures as callers make them (D-16)", () => {
  test("openssl on the command line: DER", async () => {
    const openssl = (...args: string[]) => execFileSync("openssl", args, { cwd: folder, stdio: "pipe" });
    openssl("ecparam", "-name", "prime256v1", "-genkey", "-noout", "-out", "key.pem");
    openssl("ec", "-in", "key.pem", "-pubout", "-out", "public.pem");
    const bytes = Buffer.from('{ "ID" : "1" }');
    writeFileSync(join(folder, "payload"), bytes);
    const signature = openssl("dgst", "-sha256", "-sign", "key.pem", "payload").toString("base64");
    const key = readPublicKey(readFileSync(join(folder, "public.pem"), "utf8"));
    const der = decodeSignature(signature);
    if (key === undefined || der === undefined) throw new Error("key and signature must be readable");
    expect(await verifier.verify(key, bytes, der)).toBe(true);
    expect(await verifier.verify(key, Buffer.from('{ "ID" : "2" }'), der)).toBe(false);
  });

  test("WebCrypto: P1363", async () => {
    const algorithm = { name: "ECDSA", namedCurve: "P-256" };
    const { privateKey, publicKey } = await crypto.subtle.generateKey(algorithm, true, ["sign", "verify"]);
    const spki = Buffer.from(await crypto.subtle.exportKey("spki", publicKey));
    const key = createPublicKey({ key: spki, format: "der", type: "spki" });
    for (let round = 0; round < 50; round += 1) {
      const bytes = Buffer.from(`{"round":${round}}`);
      const raw = await crypto.subtle.sign({ name: "ECDSA", hash: "SHA-256" }, privateKey, bytes);
      const der = decodeSignature(Buffer.from(raw).toString("base64"));
      if (der === undefined) throw new Error("the signature must be readable");
      expect(await verifier.verify(key, bytes, der)).toBe(true);
    }
  });

  test("r and s with leading zeros and high bits become the DER that openssl makes of them", () => {
    const integer = fc.uint8Array({ minLength: 32, maxLength: 32 });
    fc.assert(
      fc.property(integer, integer, fc.nat(31), fc.nat(31), (r, s, rZeros, sZeros) => {
        r.fill(0, 0, rZeros);
        s.fill(0, 0, sZeros);
        const der = decodeSignature(Buffer.concat([r, s]).toString("base64"));
        if (der === undefined) throw new Error("64 bytes must be readable");
        const [length, readR, readS] = [der[1], ...derIntegers(der)];
        expect(length).toBe(der.length - 2);
        expect(readR).toBe(BigInt(`0x${Buffer.from(r).toString("hex")}`));
        expect(readS).toBe(BigInt(`0x${Buffer.from(s).toString("hex")}`));
      }),
    );
  });

  const sample = sign("sha256", Buffer.from("x"), pair().privateKey).toString("base64");
  test.each([
    ["white space", ` ${sample}`],
    ["a line end", `${sample}\n`],
    ["no padding", "MEUCIQ"],
    ["the URL alphabet", Buffer.alloc(64, 0xff).toString("base64url")],
    ["stray bits", `${Buffer.alloc(64).toString("base64").slice(0, -3)}B==`],
    ["hexadecimal", Buffer.alloc(64).toString("hex")],
    ["63 bytes", Buffer.alloc(63, 1).toString("base64")],
    ["too many bytes", Buffer.alloc(100, 0x30).toString("base64")],
    ["nothing", ""],
  ])("%s is no signature", (_name, text) => {
    expect(decodeSignature(text)).toBeUndefined();
  });

  test("a twin with the negated s is recognised as the same signature", () => {
    const der = sign("sha256", Buffer.from("x"), pair().privateKey);
    const [r, s] = derIntegers(der);
    const order = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n;
    const twin = decodeSignature(Buffer.from(hexOf(r) + hexOf(order - s), "hex").toString("base64"));
    if (twin === undefined) throw new Error("the twin must be readable");
    expect(lowSignature(twin)).toBe(lowSignature(der));
    expect(lowSignature(sign("sha256", Buffer.from("x"), pair().privateKey))).not.toBe(lowSignature(der));
  });
});

function derIntegers(der: Buffer): [bigint, bigint] {
  const rBytes = der[3] ?? 0;
  return [integerOf(der.subarray(4, 4 + rBytes)), integerOf(der.subarray(6 + rBytes))];
}

function integerOf(bytes: Buffer): bigint {
  return BigInt(`0x${bytes.toString("hex")}`);
}

function hexOf(value: bigint): string {
  return value.toString(16).padStart(64, "0");
}

describe("signed bytes (D-15)", () => {
  const { privateKey, publicKey } = pair();
  const sent = Buffer.from('{ "b": 1.50, "a": "\\u00e9" }');
  const value = { b: 1.5, a: "é" };
  const signed = (text: string) => sign("sha256", Buffer.from(text), privateKey);

  test.each([
    ["the bytes as sent", sent.toString(), true],
    ["the value in RFC 8785 form", '{"a":"é","b":1.5}', true],
    ["the value as JSON.stringify prints it", '{"b":1.5,"a":"é"}', false],
    ["another value", '{"a":"é","b":2}', false],
  ])("%s", async (_name, text, accepted) => {
    expect(await isSigned(verifier, publicKey, { bytes: sent, value, signature: signed(text) })).toBe(
      accepted,
    );
  });

  test("canonical form is not tried where only the raw body counts", async () => {
    const signature = signed('{"a":"é","b":1.5}');
    expect(await isSigned(verifier, publicKey, { bytes: sent, signature })).toBe(false);
  });
});

describe("verification", () => {
  test.each([0, 1, 3])(
    "many at once, good and bad, each get their own verdict, with %i threads",
    async (threads) => {
      const { privateKey, publicKey } = pair();
      const calls = Array.from({ length: 100 }, (_, n) => {
        const bytes = Buffer.from(`${n}`);
        return { bytes, signature: sign("sha256", Buffer.from(n % 3 === 0 ? "no" : `${n}`), privateKey) };
      });
      const verifierOf = createVerifier({ threads });
      for (let round = 0; round < 5; round += 1) {
        const verdicts = await Promise.all(
          calls.map(({ bytes, signature }) => verifierOf.verify(publicKey, bytes, signature)),
        );
        expect(verdicts).toEqual(calls.map((_, n) => n % 3 !== 0));
      }
      await verifierOf.close();
    },
  );

  test("threads leave what is too long for them, and keep a bounded number of keys", async () => {
    const { privateKey, publicKey } = pair();
    const text = pemOf(publicKey);
    const bytes = Buffer.alloc(100_000, "x");
    const signature = sign("sha256", bytes, privateKey);
    const short = sign("sha256", Buffer.from("x"), privateKey);
    const threaded = createVerifier({ threads: 1 });
    for (let round = 0; round < 20; round += 1) {
      const verdicts = await Promise.all([
        ...Array.from({ length: 100 }, () => threaded.verify(createPublicKey(text), Buffer.from("x"), short)),
        threaded.verify(publicKey, bytes, signature),
        threaded.verify(publicKey, bytes, short),
      ]);
      expect(verdicts).toEqual([...Array.from({ length: 101 }, () => true), false]);
    }
    await threaded.close();
  });

  test("threads answer for each key, and what they had when they end is verified all the same", async () => {
    const pairs = Array.from({ length: 8 }, pair);
    const pool = createVerifyingPool(2);
    const verdicts: boolean[] = [];
    const handOver = (): number => {
      const waiting = pairs.flatMap(({ publicKey, privateKey }, n) =>
        [true, false, true].map((isRight) => ({
          key: publicKey,
          bytes: Buffer.from(`${n}`),
          signature: sign("sha256", Buffer.from(isRight ? `${n}` : "no"), privateKey),
          resolve: (isValid: boolean) => verdicts.push(isValid === isRight),
        })),
      );
      pool.take(waiting);
      return 24 - waiting.length;
    };
    expect(handOver()).toBe(0);
    let taken = 0;
    while (taken === 0) {
      await new Promise(setImmediate);
      taken = handOver();
    }
    await pool.close();
    expect(verdicts).toEqual(Array.from({ length: taken }, () => true));
    expect(handOver()).toBe(0);
  });

  test("the other work of the process gets its turn after 32 of them", async () => {
    const { privateKey, publicKey } = pair();
    const { verify } = createVerifier({ threads: 0 });
    const signature = sign("sha256", Buffer.from("x"), privateKey);
    let verified = 0;
    const all = Array.from({ length: 100 }, async () => {
      await verify(publicKey, Buffer.from("x"), signature);
      verified += 1;
    });
    await Promise.race(all);
    await new Promise(process.nextTick);
    expect(verified).toBe(32);
    await Promise.all(all);
  });

  test("garbage in place of a signature is false, not a failure", async () => {
    const { publicKey } = pair();
    for (const garbage of [Buffer.alloc(0), Buffer.of(0x30), Buffer.alloc(72, 0x30)]) {
      expect(await verifier.verify(publicKey, Buffer.from("x"), garbage)).toBe(false);
    }
  });
});

describe("public keys (D-17)", () => {
  const { privateKey, publicKey } = pair();
  const pem = pemOf(publicKey);
  const other = (namedCurve: string) => pemOf(generateKeyPairSync("ec", { namedCurve }).publicKey);
  test.each<[string, string, boolean]>([
    ["P-256 SPKI", pem, true],
    ["with CRLF", pem.replaceAll("\n", "\r\n"), true],
    ["without its last line end", pem.trimEnd(), true],
    ["P-384", other("P-384"), false],
    ["secp256k1", other("secp256k1"), false],
    ["Ed25519", pemOf(generateKeyPairSync("ed25519").publicKey), false],
    ["RSA", pemOf(generateKeyPairSync("rsa", { modulusLength: 2048 }).publicKey), false],
    ["a private key", privateKey.export({ type: "pkcs8", format: "pem" }).toString(), false],
    ["two blocks", pem + pem, false],
    ["trailing text", `${pem}x`, false],
    ["leading text", `x${pem}`, false],
    ["a broken block", pem.replace("M", "N"), false],
    ["nothing", "", false],
  ])("%s", (_name, text, accepted) => {
    expect(readPublicKey(text) !== undefined).toBe(accepted);
  });
});

describe("the Signature header of section 5.4", () => {
  const whole = { keyId: "k1", signature: "MEUC+/==" };
  test.each<[string, object | undefined]>([
    ["keyId=k1,algorithm=ecdsa-sha256,signature=MEUC+/==", whole],
    ['keyId="k1", algorithm="ecdsa-sha256", signature="MEUC+/=="', whole],
    ["signature=MEUC+/==,algorithm=ecdsa-sha256,keyId=k1", whole],
    ["keyId=k1,algorithm=rsa-sha256,signature=MEUC+/==", { keyId: "k1" }],
    ["keyId=k1,signature=MEUC+/==", { keyId: "k1" }],
    ["keyId=k1,keyId=k1,algorithm=ecdsa-sha256,signature=MEUC+/==", undefined],
    ["keyId=k1,algorithm=ecdsa-sha256,signature=MEUC+/==,x=1", undefined],
    ["keyId=,algorithm=ecdsa-sha256,signature=MEUC+/==", undefined],
    [" keyId = k1 ,\talgorithm=ecdsa-sha256,signature=MEUC+/==  ", whole],
    ['keyId="k1,algorithm=ecdsa-sha256,signature=MEUC+/==', undefined],
    ['keyId=k1",algorithm=ecdsa-sha256,signature=MEUC+/==', undefined],
    ['keyId=",algorithm=ecdsa-sha256,signature=MEUC+/==', undefined],
    ['keyId="",algorithm=ecdsa-sha256,signature=MEUC+/==', undefined],
    ["keyId=k1,,algorithm=ecdsa-sha256,signature=MEUC+/==", undefined],
    ["k1", undefined],
    ["=k1", undefined],
    ["", undefined],
  ])("%s", (text, read) => {
    expect(parseSignatureHeader(text)).toEqual(read);
  });

  test("is read up to 1,024 characters", () => {
    const ofLength = (length: number) => `keyId=${"k".repeat(length - 6)}`;
    expect(parseSignatureHeader(ofLength(1024))?.keyId).toHaveLength(1018);
    expect(parseSignatureHeader(ofLength(1025))).toBeUndefined();
  });
});
