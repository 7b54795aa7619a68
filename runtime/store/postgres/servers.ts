import { StoreOpenError } from "../common/store-open-error.ts";

const attributesTaken: readonly string[] = ["read-write", "primary"];

/**
 * One URL for each server of a URL that names several, as libpq writes them: `postgres://user@one:5432,two/ledger`. The
 * driver knows one server a URL.
 */
export function serversOf(url: string): readonly string[] {
  const [, scheme = "", user = "", hosts = "", rest = ""] =
    /^(\w+:\/\/)([^@/?]*@)?([^/?]*)(.*)$/s.exec(url) ?? [];
  const [path = "", search = ""] = rest.split(/\?(.*)/s);
  const parameters = new URLSearchParams(search);
  const wanted = parameters.get("target_session_attrs") ?? "read-write";
  if (!attributesTaken.includes(wanted)) {
    throw new StoreOpenError(
      `LEDGER_DATABASE_URL: target_session_attrs is ${wanted}, and the service needs a server that takes writes: ` +
        `write ${attributesTaken.join(" or ")}, or leave it out`,
    );
  }
  if (!hosts.includes(",")) return [url];
  parameters.delete("target_session_attrs");
  const query = parameters.size === 0 ? "" : `?${parameters}`;
  return hosts.split(",").map((host) => `${scheme}${user}${host}${path}${query}`);
}
