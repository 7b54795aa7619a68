import type { CollectionPart } from "../protocol.ts";

export const collection: CollectionPart = {
  variables: [],
  headers: () => ({}),
  values({ credentials = {} }) {
    const byScheme = Object.entries(credentials).map(([name, { user, password, token, key }]) => {
      const basic = Buffer.from(`${user}:${password}`).toString("base64");
      return [name, token ?? key ?? (user === undefined ? "" : basic)] as const;
    });
    return Object.fromEntries(byScheme);
  },
};
