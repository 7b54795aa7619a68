import type { ListKeysResult, SigningKeySummary } from "../../../generated/partner/client/index.ts";
import { el, show, type Child } from "../../shared/dom.ts";
import { generatePortableKey, signedText } from "../../shared/key.ts";
import { load } from "../../shared/load.ts";
import { actions, badge, copyable, fileLink, table, time } from "../../shared/view.ts";
import { actionButton, formButton, type PartnerPage, type Session } from "../session.ts";

export const keysPage: PartnerPage = {
  name: "keys",
  title: "Keys",
  operation: () => "ListKeys",
  show({ session, main }) {
    const place = el("div", { class: "content" });
    const again = (): Promise<void> =>
      load(
        place,
        () => session.client.listKeys({}),
        (listed) => keyTables(listed, session, () => void again()),
      );
    show(
      main,
      el("h1", {}, "Keys"),
      el(
        "p",
        { class: "hint" },
        "The newest is last. No key itself is shown. The operator replaces API keys.",
      ),
      newKeyButtons(session, () => void again()),
      place,
    );
    void again();
  },
};

/** Two ways to a further key: one that this page makes, and one that exists already. */
function newKeyButtons(session: Session, again: () => void): Child {
  const make = actionButton(
    "Make a key here",
    async () => {
      const { privateKey, privatePem, publicPem: PublicKey } = await generatePortableKey();
      const { challenge } = await session.client.startKeyRegistration({ PublicKey });
      const proof = await signedText(privateKey, challenge);
      const { KeyId } = await session.client.registerKey({ PublicKey, challenge, proof });
      again();
      return [
        "The key ",
        copyable(KeyId),
        " is active. Save it now: nobody can show it again. ",
        fileLink(`${KeyId}.pem`, privatePem, "Save the private key"),
      ];
    },
    "You have as many keys as one may have: revoke one first.",
  );
  const register = formButton(session, "StartKeyRegistration", {
    label: "Register a key of a server",
    text: "The private half stays where it is. It signs a text next, which shows that you have it.",
    done: ({ challenge }, { PublicKey }) => [
      "Sign this text with the private key. With openssl it is:",
      el(
        "pre",
        { tabindex: "0", "aria-label": "Command" },
        `printf %s '${challenge}' | openssl dgst -sha256 -sign key.pem | openssl base64 -A`,
      ),
      formButton(session, "RegisterKey", {
        label: "Give the signature",
        fixed: { PublicKey, challenge },
        done: ({ KeyId }) => ["The key ", copyable(KeyId), " is active."],
        refresh: again,
      }),
    ],
    refresh: () => {},
  });
  return [make, actions(register)];
}

function keyTables({ apiKeys, keys }: ListKeysResult, session: Session, again: () => void): Child {
  return [
    el("h2", {}, "Signing keys"),
    table(
      "Signing keys",
      [
        { title: "Identifier", of: ({ KeyId }) => copyable(KeyId) },
        { title: "State", of: ({ status }) => badge(status) },
        { title: "Made", of: ({ createdDate }) => time(createdDate) },
        { title: "Last used", of: ({ lastUsedDate }) => time(lastUsedDate) ?? "never" },
        { title: "Revoked", of: ({ revokedDate }) => time(revokedDate) ?? "no" },
        { title: "Change", of: (key) => revokeButton(key, session, again) },
      ],
      keys,
      "You have no signing key.",
    ),
    el("h2", {}, "API keys"),
    table(
      "API keys",
      [
        { title: "Identifier", of: ({ apiKeyId }) => copyable(apiKeyId) },
        { title: "Made", of: ({ createdDate }) => time(createdDate) },
        { title: "Expires", of: ({ expiresAt }) => time(expiresAt) ?? "never" },
        { title: "Last used", of: ({ lastUsedDate }) => time(lastUsedDate) ?? "never" },
        { title: "Revoked", of: ({ revokedDate }) => time(revokedDate) ?? "no" },
      ],
      apiKeys,
      "You have no API key.",
    ),
  ];
}

function revokeButton({ KeyId, status }: SigningKeySummary, session: Session, again: () => void): Child {
  if (status === "REVOKED") return undefined;
  const isOwn = KeyId === session.keyId;
  return formButton(session, "RevokeKey", {
    label: "Revoke",
    text: isOwn
      ? "This page signs with this key: you are signed out. What the key signs is refused at once."
      : "What this key signs is refused at once. A revoked key cannot be used again.",
    fixed: { KeyId },
    confirm: "revoke",
    conflict: "It is your last active key: register another one first.",
    done: () => "The key is revoked.",
    refresh: again,
  });
}
