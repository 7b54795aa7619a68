import { signedEnvelope } from "../../../runtime/auth/index.ts";
import { patch, type Fault } from "../fault.ts";

const check = "runtime/auth/signed-envelope/check-signature.ts";
const admission = "runtime/auth/signed-envelope/check-credential.ts";
const keys = "runtime/auth/signed-envelope/find-signing-key.ts";
const credential = "runtime/auth/signed-envelope/credential.ts";
const claims = "runtime/auth/signed-envelope/claims.ts";
const member = "runtime/auth/signed-envelope/required-member.ts";
const directory = "runtime/auth/caller-cache.ts";
const authenticate = "runtime/auth/signed-envelope/signed-envelope.ts";
const signed = "runtime/signing/signed-payload.ts";
const base64 = "runtime/signing/base64.ts";
const encoding = "runtime/signing/signature-encoding.ts";

/** The signature is checked except under a condition on the envelope. */
const unlessSigned = (condition: string) =>
  patch(
    check,
    'if (!(await isSigned(verifier, publicKey, signed))) throw new AuthFault({ fault: "invalidSignature" });',
    `if (!(${condition}) && !(await isSigned(verifier, publicKey, signed))) throw new AuthFault({ fault: "invalidSignature" });`,
  );

export const authenticateFaults: readonly Fault[] = [
  {
    id: "signature-skipped",
    layer: "authenticate",
    says: "The signature is not verified.",
    patches: unlessSigned("true"),
  },
  {
    id: "signature-skipped-in-one",
    layer: "authenticate",
    says: "The signature of GetBeneficiary is not verified.",
    patches: unlessSigned(
      'envelope.kind === "enveloped" && envelope.methodName === "AccountService.GetBeneficiary"',
    ),
  },
  {
    id: "signature-skipped-in-writes",
    layer: "authenticate",
    says: "The signature of AddAccount is not verified.",
    patches: unlessSigned(
      'envelope.kind === "enveloped" && envelope.methodName === "CustomerService.AddAccount"',
    ),
  },
  {
    id: "flat-signature-skipped",
    layer: "authenticate",
    says: "The signature of flat bodies is not verified.",
    patches: unlessSigned('envelope.kind === "flat"'),
  },
  {
    id: "signature-over-parsed",
    layer: "authenticate",
    says: "The signature is verified over the payload printed again.",
    patches: patch(
      signed,
      "if (await verifier.verify(key, bytes, signature)) return true;",
      "if (await verifier.verify(key, Buffer.from(JSON.stringify(JSON.parse(bytes.toString()))), signature)) return true;",
    ),
  },
  {
    id: "signature-over-parsed-too",
    layer: "authenticate",
    says: "A signature over the payload printed again is taken besides.",
    patches: patch(
      signed,
      "if (value === undefined) return false;",
      "if (value === undefined) return false;\n  if (await verifier.verify(key, Buffer.from(JSON.stringify(value)), signature)) return true;",
    ),
  },
  {
    id: "no-canonical-form",
    layer: "authenticate",
    says: "A signature over the canonical form is refused.",
    patches: patch(signed, "if (value === undefined) return false;", "return false;"),
  },
  {
    id: "only-canonical-form",
    layer: "authenticate",
    says: "Only a signature over the canonical form is taken.",
    patches: patch(
      signed,
      "if (await verifier.verify(key, bytes, signature)) return true;\n  if (value === undefined) return false;",
      "if (value === undefined) return verifier.verify(key, bytes, signature);\n  bytes = Buffer.alloc(0);",
    ),
  },
  {
    id: "flat-canonical-form",
    layer: "authenticate",
    says: "A flat body may be signed in canonical form.",
    patches: patch(check, "...(enveloped ? { value: payload } : {})", "value: payload"),
  },
  {
    id: "no-p1363",
    layer: "authenticate",
    says: "A signature of 64 bytes is refused.",
    patches: patch(encoding, "if (bytes.length === p1363Bytes) return derFromP1363(bytes);", ""),
  },
  {
    id: "lenient-base64",
    layer: "authenticate",
    says: "Base64 of any alphabet, padded or not, is taken.",
    patches: patch(base64, 'return bytes.toString("base64") === text ? bytes : undefined;', "return bytes;"),
  },
  {
    id: "unpadded-base64",
    layer: "authenticate",
    says: "Base64 without its padding is taken.",
    patches: patch(
      base64,
      'bytes.toString("base64") === text',
      'bytes.toString("base64").replace(/=+$/, "") === text.replace(/=+$/, "")',
    ),
  },
  {
    id: "trimmed-base64",
    layer: "authenticate",
    says: "Blanks and line breaks in base64 are passed over.",
    patches: patch(
      base64,
      'bytes.toString("base64") === text',
      'bytes.toString("base64") === text.replaceAll(/\\s/g, "")',
    ),
  },
  {
    id: "malformed-signature-is-input",
    layer: "authenticate",
    says: "A malformed signature is reported as BAD_INPUT.",
    patches: patch(
      check,
      'if (signature === undefined) throw malformedMember("signature");',
      'if (signature === undefined) throw new TypeError("signature");',
    ),
  },
  {
    id: "another-users-key",
    layer: "authenticate",
    says: "A key verifies with any user's credential.",
    patches: patch(
      keys,
      "if (active !== undefined && active.userName === user.userName) {",
      "if (active !== undefined) {",
    ),
  },
  {
    id: "revoked-key",
    layer: "authenticate",
    says: "A revoked key still verifies.",
    patches: patch(
      directory,
      'if (record?.status !== "ACTIVE" || record.publicKeyPem === undefined)',
      "if (record === undefined || record.publicKeyPem === undefined)",
    ),
  },
  {
    id: "revoked-key-remembered",
    layer: "authenticate",
    says: "A revoked key verifies for as long as it is remembered.",
    patches: patch(directory, "if (key.userName === userName) keys.delete(keyId);", ""),
  },
  {
    id: "revoked-credential",
    layer: "authenticate",
    says: "A revoked API key is still taken.",
    patches: patch(credential, "key.revokedAt === undefined && ", ""),
  },
  {
    id: "revoked-credential-remembered",
    layer: "authenticate",
    says: "A revoked API key is taken for as long as it is remembered.",
    patches: patch(directory, "principals.delete(userName);", ""),
  },
  {
    id: "expired-credential",
    layer: "authenticate",
    says: "An expired API key is still taken.",
    patches: patch(credential, " && (key.expiresAt === undefined || key.expiresAt > nowMs)", ""),
  },
  {
    id: "only-newest-credential",
    layer: "authenticate",
    says: "While an API key is rotated only one of the two is taken.",
    patches: patch(
      credential,
      "for (const key of principal?.apiKeys ?? nobody) {",
      "for (const key of (principal?.apiKeys ?? nobody).slice(-1)) {",
    ),
  },
  {
    id: "any-api-key",
    layer: "authenticate",
    says: "Any API key of a known user is taken.",
    patches: patch(
      credential,
      "const same = key.hash.length === sent.length && timingSafeEqual(key.hash, sent);",
      "const same = key.hash.length === sent.length && timingSafeEqual(sent, sent);",
    ),
  },
  {
    id: "api-key-prefix",
    layer: "authenticate",
    says: "Only the first 32 characters of an API key are compared.",
    patches: patch(
      credential,
      'hash("sha256", apiKey, "buffer")',
      'hash("sha256", apiKey.slice(0, 32), "buffer")',
    ),
  },
  {
    id: "bearer-credential",
    layer: "authenticate",
    says: "The word before the credential may be any.",
    patches: patch(
      credential,
      "if (!text.startsWith(scheme) || text.length > encodedCharactersMax) return undefined;\n  const bytes = decodeBase64(text.slice(scheme.length));",
      'const bytes = decodeBase64(text.replace(/^\\S+ /, ""));',
    ),
  },
  {
    id: "credential-without-word",
    layer: "authenticate",
    says: "The credential may be without the word Basic.",
    patches: patch(
      credential,
      "if (!text.startsWith(scheme) || text.length > encodedCharactersMax) return undefined;\n  const bytes = decodeBase64(text.slice(scheme.length));",
      'const bytes = decodeBase64(text.replace(/^Basic /, ""));',
    ),
  },
  {
    id: "api-key-optional",
    layer: "authenticate",
    says: "apiKey may be missing where the operation lists it.",
    patches: patch(
      admission,
      'if (claims["apiKey"] !== undefined || requiresApiKey(method)) {',
      'if (claims["apiKey"] !== undefined) {',
    ),
  },
  {
    id: "api-key-ignored",
    layer: "authenticate",
    says: "apiKey is not compared with the credential's.",
    patches: patch(admission, "if (apiKey !== credential.apiKey)", "if (apiKey === undefined)"),
  },
  {
    id: "api-key-only-where-listed",
    layer: "authenticate",
    says: "apiKey is compared only where the operation lists it.",
    patches: patch(
      admission,
      'if (claims["apiKey"] !== undefined || requiresApiKey(method)) {',
      "if (requiresApiKey(method)) {",
    ),
  },
  {
    id: "api-key-required-everywhere",
    layer: "authenticate",
    says: "apiKey is required where no operation lists it.",
    patches: patch(
      claims,
      'return transport.kind === "enveloped" && transport.auth.includes("apiKey");',
      'return transport.kind === "enveloped";',
    ),
  },
  {
    id: "unknown-user-is-unauthorized",
    layer: "authenticate",
    says: "An unknown user is answered otherwise than a wrong API key.",
    patches: patch(
      admission,
      "const held = holdsKey(",
      'if (principal === undefined) throw new AuthFault({ fault: "unauthorized" });\n    const held = holdsKey(',
    ),
  },
  {
    id: "missing-key-is-bad-credential",
    layer: "authenticate",
    says: "A missing keyId is reported as BAD_CREDENTIAL.",
    options: (options) => ({
      ...options,
      interfaceDescriptor: {
        ...options.interfaceDescriptor,
        missingAuth: { ...options.interfaceDescriptor.missingAuth, keyId: "BAD_CREDENTIAL" },
      },
    }),
  },
  {
    id: "unknown-key-is-invalid-signature",
    layer: "authenticate",
    says: "An unknown key is reported as INVALID_SIGNATURE.",
    patches: patch(
      keys,
      'throw new AuthFault({ fault: "unknownKey" });',
      'throw new AuthFault({ fault: "invalidSignature" });',
    ),
  },
  {
    id: "malformed-member-is-input",
    layer: "authenticate",
    says: "A member of params.api that is no text is reported as BAD_INPUT.",
    patches: patch(
      member,
      "throw malformedMember(member);",
      'throw new PipelineFault("BAD_INPUT", { reason: "malformed" });',
    ),
  },
  {
    id: "empty-member-is-wrong",
    layer: "authenticate",
    says: "An empty signature is reported as an unknown key.",
    patches: patch(
      member,
      'if (value === undefined || value === "")',
      'if (value === "" && member === "signature") throw new PipelineFault("NOT_FOUND_USER_DEVICE", {});\n  if (value === undefined || value === "")',
    ),
  },
  {
    id: "key-before-credential",
    layer: "authenticate",
    says: "The key is looked up before the credential is verified.",
    patches: patch(
      authenticate,
      "const user = await checkCredential(method, claims);",
      'if (typeof claims["keyId"] === "string" && !flat && (await services.callers.activeKey(claims["keyId"])) === undefined) throw new AuthFault({ fault: "unknownKey" });\n    const user = await checkCredential(method, claims);',
    ),
  },
  {
    id: "payload-before-signature",
    layer: "authenticate",
    says: "The payload is validated before the signature is.",
    patches: [
      ...patch(
        "runtime/pipeline/revision-pipeline.ts",
        "const authenticated = await authenticate(target, envelope, request, context, authOptions);",
        "validate({ method, envelope, caller: { userName: '', institutionId: '' } });\n      const authenticated = await authenticate(target, envelope, request, context, authOptions);",
      ),
    ],
  },
  {
    id: "header-signature-ignored",
    layer: "authenticate",
    says: "Header signatures of enveloped calls are not compared.",
    patches: patch(
      check,
      "if (enveloped && headersContradict(claims, request)) {",
      "if (enveloped && false) {",
    ),
  },
  {
    id: "header-credential-ignored",
    layer: "authenticate",
    says: "The Authorization of enveloped calls is not compared.",
    patches: patch(
      claims,
      'if (credential !== undefined && credential !== claims["credential"]) return true;',
      "",
    ),
  },
  {
    id: "header-signature-required",
    layer: "authenticate",
    says: "A call without header signature is refused.",
    patches: patch(
      claims,
      'if (header === undefined || request.header("signature-input") !== undefined) return false;',
      "if (header === undefined) return true;",
    ),
  },
  {
    id: "header-key-ignored",
    layer: "authenticate",
    says: "Only the signature of the header is compared, not its key.",
    patches: patch(claims, 'signed.keyId !== claims["keyId"] ||', ""),
  },
  {
    id: "flat-open",
    layer: "authenticate",
    says: "A flat body needs no authentication.",
    options: (options) => ({
      ...options,
      rules: { ...options.rules, openFlatBodies: { userName: "demo", institutionId: "091311229" } },
    }),
  },
  {
    id: "operator-as-caller",
    layer: "authenticate",
    says: "An operator's credential is taken by the documented interface.",
    patches: patch(admission, "|| principal.user.realm !== realm", ""),
  },
  {
    id: "pending-key",
    layer: "authenticate",
    says: "A key without public key lets everything pass.",
    patches: [
      ...patch(
        keys,
        "const publicKey = presentedKey(",
        "if (active === undefined && (await services.callers.pending?.(keyId))) return { publicKey: undefined };\n    const publicKey = presentedKey(",
      ),
      ...patch(
        directory,
        "invalidate(userName) {",
        'pending: (keyId) => store.read(async (view) => (await view.deviceKeys.find(keyId))?.status === "PENDING"),\n    invalidate(userName) {',
      ),
      ...patch(
        check,
        "const signature = decodeSignature(",
        "if (publicKey === undefined) return Buffer.alloc(8);\n    const signature = decodeSignature(",
      ),
    ],
  },
  {
    id: "possession-not-proven",
    layer: "authenticate",
    says: "A device registers a public key without a signature of its private half.",
    patches: unlessSigned(
      'envelope.kind === "enveloped" && envelope.methodName === "KeyService.CompleteRegisterDevice"',
    ),
  },
  {
    id: "no-proof-of-possession",
    layer: "authenticate",
    says: "A device that has no key yet cannot register.",
    options: (options) => ({ ...options, auth: signedEnvelope() }),
  },
];
