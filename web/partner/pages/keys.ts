import { el, show, type Child } from "../../shared/dom.ts";
import { section } from "../../shared/page.ts";
import { badge, copyable, table, time } from "../../shared/view.ts";
import type { ListKeysResult } from "../../../generated/partner/client/index.ts";
import type { PartnerPage } from "../session.ts";

export const keysPage: PartnerPage = {
  name: "keys",
  title: "Keys",
  operation: () => "ListKeys",
  show({ session, main }) {
    show(
      main,
      el("h1", {}, "Keys"),
      el(
        "p",
        { class: "hint" },
        "Your keys, the oldest first. No key itself is shown. The operator revokes them.",
      ),
      section(session.userName, () => session.client.listKeys({}), keyTables),
    );
  },
};

function keyTables({ apiKeys, keys }: ListKeysResult): Child {
  return [
    el("h3", {}, "API keys"),
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
    el("h3", {}, "Signing keys"),
    table(
      "Signing keys",
      [
        { title: "Identifier", of: ({ KeyId }) => copyable(KeyId) },
        { title: "State", of: ({ status }) => badge(status) },
        { title: "Made", of: ({ createdDate }) => time(createdDate) },
        { title: "Last used", of: ({ lastUsedDate }) => time(lastUsedDate) ?? "never" },
        { title: "Revoked", of: ({ revokedDate }) => time(revokedDate) ?? "no" },
      ],
      keys,
      "You have no signing key.",
    ),
  ];
}
