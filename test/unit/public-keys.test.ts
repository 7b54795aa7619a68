import { createHash } from "node:crypto";
import { beforeAll, describe, expect, test } from "vitest";
import { readPublicKey } from "../../runtime/auth/signing/index.ts";
import { openBank, type Bank } from "./handlers-bank.ts";
import { goodKeys, isKeyToOpenssl, refusedKeys } from "./public-key-encodings.ts";

let bank: Bank;
beforeAll(async () => {
  bank = await openBank();
});

const badKey = { code: "BAD_INPUT", data: { field: "/PublicKey" } };
const otpToken = createHash("md5").update("teller").digest("hex");
const completing = (PublicKey: string) => ({
  UserName: "teller",
  OtpToken: otpToken,
  Otp: "123456",
  PublicKey,
});

describe("a public key is taken in one encoding wherever one is taken (D-17, D-56)", () => {
  test.each(goodKeys)("%s: good", async (_name, PublicKey) => {
    expect(readPublicKey(PublicKey)?.asymmetricKeyDetails?.namedCurve).toBe("prime256v1");
    const { error } = await bank.operator("RegisterKey", { userName: "teller", PublicKey });
    expect(error).toBeUndefined();
    const completed = await bank.ledger("KeyService.CompleteRegisterDevice", completing(PublicKey));
    expect(completed.error?.code).toBe("INVALID_OTP");
  });

  test.each(refusedKeys)("%s: BAD_INPUT", async (_name, PublicKey) => {
    expect(readPublicKey(PublicKey)).toBeUndefined();
    const registered = await bank.operator("RegisterKey", { userName: "teller", PublicKey });
    expect(registered.error).toMatchObject(badKey);
    const completed = await bank.ledger("KeyService.CompleteRegisterDevice", completing(PublicKey));
    expect(completed.error).toMatchObject(badKey);
  });

  test.each([
    [1024, true],
    [1025, false],
  ])("white space around it counts: of %d characters, %s", (length, isRead) => {
    const [, pem = ""] = goodKeys[0] ?? [];
    expect(readPublicKey(pem.padEnd(length, "\n")) !== undefined).toBe(isRead);
  });

  test("and openssl would have taken many of the others", () => {
    expect(refusedKeys.filter(([, pem]) => isKeyToOpenssl(pem)).map(([name]) => name)).toEqual(
      expect.arrayContaining(["compressed", "hybrid", "a byte after it"]),
    );
  });
});
