type TextSign = (text: string) => string | Promise<string>;

/** A key of WebCrypto. */
interface Key {
  readonly extractable: boolean;
}

/** The part of `node:crypto` that signs. */
interface NodeCrypto {
  readonly KeyObject: { from(key: Key): object };
  createSign(digest: string): {
    update(text: string): { sign(key: object, encoding: "base64"): string };
  };
}

const engine: object & { readonly process?: { getBuiltinModule?(name: string): NodeCrypto } } = globalThis;
const nodeCrypto = /* @__PURE__ */ engine.process?.getBuiltinModule?.("node:crypto");

/**
 * Signs by `node:crypto`, in DER; undefined where that does not exist. WebCrypto hands each signature to a thread,
 * and that alone takes the caller's thread as long as to sign. A key that may not be extracted stays with WebCrypto.
 * `package.json` says that a bundle for browsers has `no-node-signer.ts` in place of this module.
 */
export const nodeSigner: ((importKey: () => Promise<Key>, byWebCrypto: TextSign) => TextSign) | undefined =
  nodeCrypto &&
  ((importKey: () => Promise<Key>, byWebCrypto: TextSign): TextSign => {
    let sign: TextSign = async (text) => {
      const key = await importKey();
      const own = key.extractable && nodeCrypto.KeyObject.from(key);
      sign = own ? (text) => nodeCrypto.createSign("sha256").update(text).sign(own, "base64") : byWebCrypto;
      return sign(text);
    };
    return (text) => sign(text);
  });
