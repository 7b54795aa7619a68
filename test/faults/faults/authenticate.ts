import { signedEnvelope } from "../../../runtime/auth/index.ts";
import { RpcError } from "../../../runtime/contract/index.ts";
import { canonicalBytes } from "../../../runtime/auth/signing/index.ts";
import {
  hashOfKey,
  isAsSent,
  isMalformed,
  unverified,
  withCallers,
  withPrincipal,
  withVerifier,
  type Principal,
} from "../changes/authentication.ts";
import { withEveryMethod } from "../changes/methods.ts";
import { withApi, withSignature } from "../changes/requests.ts";
import { currentCredential, currentMethod, currentPayload, currentRequest } from "../current-request.ts";
import { faultOf, type AnyOptions, type ChangeOptions, type Fault } from "../fault.ts";

const fault = faultOf("authenticate");

/** The API keys of each user are others. */
const withKeys = (change: (keys: Principal["apiKeys"]) => Principal["apiKeys"]): ChangeOptions =>
  withPrincipal(({ user, apiKeys }) => ({ user, apiKeys: change(apiKeys) }));

/** The descriptor of the interface is changed. */
const described = (
  change: (descriptor: AnyOptions["interfaceDescriptor"]) => Partial<AnyOptions["interfaceDescriptor"]>,
): ChangeOptions => {
  return (options) => ({
    ...options,
    interfaceDescriptor: { ...options.interfaceDescriptor, ...change(options.interfaceDescriptor) },
  });
};

const missing = (member: "signature" | "keyId" | "credential", code: string): ChangeOptions =>
  described(({ missingAuth }) => ({ missingAuth: { ...missingAuth, [member]: code } }));

/** The signature again as base64 that is taken, if it decodes at all. */
const decodable = (signature: string, isForgiven: (signature: string) => boolean): string =>
  isForgiven(signature) ? Buffer.from(signature, "base64").toString("base64") : signature;

const reprinted = (bytes: Buffer): Buffer => Buffer.from(JSON.stringify(JSON.parse(bytes.toString())));
const canonical = (bytes: Buffer): Buffer => canonicalBytes(JSON.parse(bytes.toString()));
const verified = new Set<string>();

const signatureFaults: readonly Fault[] = [
  fault("signature-skipped", "The signature is not verified.", { options: unverified(() => true) }),
  fault("signature-skipped-in-one", "The signature of GetBeneficiary is not verified.", {
    options: unverified(() => currentMethod() === "AccountService.GetBeneficiary"),
  }),
  fault("signature-skipped-in-writes", "The signature of AddAccount is not verified.", {
    options: unverified(() => currentMethod() === "CustomerService.AddAccount"),
  }),
  fault("flat-signature-skipped", "The signature of flat bodies is not verified.", {
    options: unverified(() => currentMethod() === undefined),
  }),
  fault("possession-not-proven", "A device registers a public key without a signature of its private half.", {
    options: unverified(() => currentMethod() === "KeyService.CompleteRegisterDevice"),
  }),
  fault("payload-before-signature", "The payload is validated before the signature is.", {
    options: unverified((options) => isMalformed(options, currentMethod() ?? "", currentPayload())),
  }),
  fault("signature-over-parsed", "The signature is verified over the payload printed again.", {
    options: withVerifier((sound) => (key, bytes, signature) => sound(key, reprinted(bytes), signature)),
  }),
  fault("signature-over-parsed-too", "A signature over the payload printed again is taken besides.", {
    options: withVerifier(
      (sound) => async (key, bytes, signature) =>
        (await sound(key, bytes, signature)) || sound(key, reprinted(bytes), signature),
    ),
  }),
  fault("no-canonical-form", "A signature over the canonical form is refused.", {
    options: withVerifier(
      (sound) => async (key, bytes, signature) => isAsSent(bytes) && sound(key, bytes, signature),
    ),
  }),
  fault("only-canonical-form", "Only a signature over the canonical form is taken.", {
    options: withVerifier(
      (sound) => async (key, bytes, signature) =>
        (currentMethod() === undefined || canonical(bytes).equals(bytes)) && sound(key, bytes, signature),
    ),
  }),
  fault("flat-canonical-form", "A flat body may be signed in canonical form.", {
    options: withVerifier(
      (sound) => async (key, bytes, signature) =>
        (await sound(key, bytes, signature)) ||
        (currentMethod() === undefined && sound(key, canonical(bytes), signature)),
    ),
  }),
  fault("signature-remembered", "A signature that verified once is taken for any other payload.", {
    options: withVerifier((sound) => async (key, bytes, signature) => {
      const text = signature.toString("hex");
      if (verified.has(text)) return true;
      const valid = await sound(key, bytes, signature);
      if (valid) verified.add(text);
      return valid;
    }),
  }),
  fault("no-p1363", "A signature of 64 bytes is refused.", {
    pipeline: withSignature((signature) =>
      Buffer.from(signature, "base64").length === 64 ? "AAAA" : signature,
    ),
  }),
  fault("lenient-base64", "Base64 of any alphabet, padded or not, is taken.", {
    pipeline: withSignature((signature) => decodable(signature, () => true)),
  }),
  fault("unpadded-base64", "Base64 without its padding is taken.", {
    pipeline: withSignature((signature) => decodable(signature, (text) => !/[^\w+/]/.test(text))),
  }),
  fault("trimmed-base64", "Blanks and line breaks in base64 are passed over.", {
    pipeline: withSignature((signature) => decodable(signature, (text) => /\s/.test(text))),
  }),
  fault("malformed-signature-is-input", "A malformed signature is reported as BAD_INPUT.", {
    options: missing("signature", "BAD_INPUT"),
  }),
  fault("header-signature-ignored", "Header signatures of enveloped calls are not compared.", {
    pipeline: (pipeline) => ({
      ...pipeline,
      answer: (request) =>
        pipeline.answer(
          request.body.includes('"params"')
            ? { ...request, header: (name) => (name === "signature" ? [] : request.header(name)) }
            : request,
        ),
    }),
  }),
  fault("header-credential-ignored", "The Authorization of enveloped calls is not compared.", {
    pipeline: (pipeline) => ({
      ...pipeline,
      answer: (request) =>
        pipeline.answer(
          request.body.includes('"params"')
            ? { ...request, header: (name) => (name === "authorization" ? [] : request.header(name)) }
            : request,
        ),
    }),
  }),
];

const staleKeys = new Map<string, Awaited<ReturnType<AnyOptions["callers"]["activeKey"]>>>();
const stalePrincipals = new Map<string, Principal>();

const callerFaults: readonly Fault[] = [
  fault("another-users-key", "A key verifies with any user's credential.", {
    options: withCallers((sound) => ({
      async activeKey(keyId, user) {
        const found = await sound.activeKey(keyId, user);
        return found && { ...found, userName: currentCredential().userName };
      },
    })),
  }),
  fault("revoked-key-remembered", "A revoked key still verifies.", {
    options: withCallers((sound) => ({
      async activeKey(keyId, user) {
        const found = staleKeys.get(keyId) ?? (await sound.activeKey(keyId, user));
        if (found !== undefined) staleKeys.set(keyId, found);
        return found;
      },
    })),
  }),
  fault("keys-ignore-case", "Key identifiers match ignoring case.", {
    options: withCallers((sound) => ({
      activeKey: async (keyId, user) =>
        (await sound.activeKey(keyId, user)) ??
        (await sound.activeKey(keyId.toUpperCase(), user)) ??
        sound.activeKey(keyId.toLowerCase(), user),
    })),
  }),
  fault("revoked-credential", "A revoked API key is still taken.", {
    options: withKeys((keys) => keys.map(({ revokedAt: _revoked, ...key }) => key)),
  }),
  fault("revoked-credential-remembered", "A revoked API key is taken for as long as it is remembered.", {
    options: withPrincipal((principal) => {
      const { userName } = principal.user;
      const stale = stalePrincipals.get(userName) ?? principal;
      stalePrincipals.set(userName, stale);
      return stale;
    }),
  }),
  fault("expired-credential", "An expired API key is still taken.", {
    options: withKeys((keys) => keys.map(({ expiresAt: _expired, ...key }) => key)),
  }),
  fault("only-newest-credential", "While an API key is rotated only one of the two is taken.", {
    options: withKeys((keys) => keys.slice(-1)),
  }),
  fault("any-api-key", "Any API key of a known user is taken.", {
    options: withKeys((keys) => keys.map((key) => ({ ...key, hash: hashOfKey(currentCredential().apiKey) }))),
  }),
  fault("api-key-ignores-case", "API keys match ignoring case.", {
    options: withKeys((keys) => {
      const { apiKey } = currentCredential();
      const forms = [apiKey.toLowerCase(), apiKey.toUpperCase()].map(hashOfKey);
      const isSame = keys.find(({ hash }) => forms.some((form) => form.equals(hash)));
      return isSame === undefined ? keys : [...keys, { ...isSame, hash: hashOfKey(apiKey) }];
    }),
  }),
  fault("user-name-ignores-case", "User names match ignoring case.", {
    options: withCallers((sound) => ({
      principal: async (userName) =>
        (await sound.principal(userName)) ?? sound.principal(userName.toLowerCase()),
    })),
  }),
  fault("operator-as-caller", "An operator's credential is taken by the documented interface.", {
    options: withPrincipal(({ user, apiKeys }) => ({ apiKeys, user: { ...user, realm: "ledger" } })),
  }),
  fault("unknown-user-is-unauthorized", "An unknown user gets another error than a wrong API key.", {
    options: withCallers((sound) => ({
      async principal(userName) {
        const found = await sound.principal(userName);
        if (found === undefined) throw new RpcError("UNAUTHORIZED");
        return found;
      },
    })),
  }),
  fault("key-before-credential", "The key is looked up before the credential is verified.", {
    options: withCallers((sound) => ({
      async principal(userName) {
        const { keyId } = Object(Object(currentRequest().json["params"]).api);
        const { institutionId = "" } = (await sound.principal(userName))?.user ?? {};
        const isGiven = typeof keyId === "string" && keyId !== "";
        if (isGiven && (await sound.activeKey(keyId, { institutionId })) === undefined)
          throw new RpcError("NOT_FOUND_USER_DEVICE");
        return sound.principal(userName);
      },
    })),
  }),
  fault("api-key-optional", "apiKey may be missing where the operation lists it.", {
    options: withEveryMethod((method) =>
      method.transport.kind === "flat"
        ? method
        : {
            ...method,
            transport: {
              ...method.transport,
              auth: method.transport.auth.filter((each) => each !== "apiKey"),
            },
          },
    ),
  }),
  fault("api-key-required-everywhere", "apiKey is required where no operation lists it.", {
    options: withEveryMethod((method) =>
      method.transport.kind === "flat"
        ? method
        : {
            ...method,
            transport: {
              ...method.transport,
              auth: [...new Set([...method.transport.auth, "apiKey"] as const)],
            },
          },
    ),
  }),
  fault("api-key-ignored", "apiKey is not compared with the credential's.", {
    pipeline: withApi((api) => {
      const plain = Buffer.from(String(api["credential"]).replace("Basic ", ""), "base64").toString();
      const apiKey = plain.slice(plain.indexOf(":") + 1);
      return typeof api["apiKey"] !== "string" || api["apiKey"] === "" || api["apiKey"] === apiKey
        ? api
        : { ...api, apiKey };
    }),
  }),
  fault("bearer-credential", "The word before the credential may be any.", {
    pipeline: withApi((api) => {
      const credential = String(api["credential"]).replace(/^\S+ +/, "Basic ");
      return credential === api["credential"] || api["credential"] === undefined
        ? api
        : { ...api, credential };
    }),
  }),
  fault("missing-key-is-bad-credential", "A missing keyId is reported as BAD_CREDENTIAL.", {
    options: missing("keyId", "BAD_CREDENTIAL"),
  }),
  fault("unknown-key-is-invalid-signature", "An unknown key is reported as INVALID_SIGNATURE.", {
    options: described(({ faults }) => ({ faults: { ...faults, unknownKey: faults.invalidSignature } })),
  }),
  fault("empty-member-is-wrong", "An empty signature is reported as an unknown key.", {
    options: missing("signature", "NOT_FOUND_USER_DEVICE"),
  }),
  fault("flat-open", "A flat body needs no authentication.", {
    options: (options) => ({
      ...options,
      rules: { ...options.rules, openFlatBodies: { userName: "demo", institutionId: "091311229" } },
    }),
  }),
  fault("no-proof-of-possession", "A device that has no key yet cannot register.", {
    options: (options) => ({ ...options, auth: signedEnvelope() }),
  }),
];

export const authenticateFaults: readonly Fault[] = [...signatureFaults, ...callerFaults];
