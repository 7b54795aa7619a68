import { createHmac, createPrivateKey, sign, type KeyObject } from "node:crypto";
import type { EventDeliveryOptions } from "../../runtime/events/index.ts";
import type { Notification } from "./fault.ts";

const secrets = new Map<string, Buffer>();
const ed25519Keys = new Map<string, KeyObject>();

/** The sealer of the delivery, watched: what it opens are the keys and secrets that notifications are signed with. */
export function watchSealer(options: EventDeliveryOptions): EventDeliveryOptions {
  const { sealer } = options;
  return {
    ...options,
    sealer: {
      ...sealer,
      open(sealed) {
        const text = sealer.open(sealed);
        if (text.startsWith("whsec_")) secrets.set(text, Buffer.from(text.slice("whsec_".length), "base64"));
        else if (text.includes("PRIVATE KEY")) {
          const key = createPrivateKey(text);
          if (key.asymmetricKeyType === "ed25519") ed25519Keys.set(text, key);
        }
        return text;
      },
    },
  };
}

/**
 * A notification with another body, signed again with the first one's secrets and keys (D-42), so that only the body
 * is wrong.
 */
export function signedAnew(former: Notification, changed: Notification): Notification {
  const {
    "webhook-id": id = "",
    "webhook-timestamp": time = "",
    "webhook-signature": header = "",
  } = changed.headers;
  const bytesOf = (body: string): Buffer => Buffer.from(`${id}.${time}.${body}`);
  const parts = header.split(" ").map((part) => {
    const [version, signature] = part.split(",");
    if (version === "v1a") {
      const [key] = ed25519Keys.values();
      if (key === undefined) throw new Error("the delivery has opened no Ed25519 key");
      return `v1a,${sign(null, bytesOf(changed.body), key).toString("base64")}`;
    }
    const hmac = (secret: Buffer, body: string): string =>
      createHmac("sha256", secret).update(bytesOf(body)).digest("base64");
    const secret = [...secrets.values()].find((each) => hmac(each, former.body) === signature);
    if (secret === undefined) throw new Error("the delivery has opened no secret that made the signature");
    return `v1,${hmac(secret, changed.body)}`;
  });
  return { ...changed, headers: { ...changed.headers, "webhook-signature": parts.join(" ") } };
}
