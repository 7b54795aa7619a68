/** The absolute form that proxies send has a host (RFC 9112 §3.2.2); Express takes a first path segment for one. */
const absoluteForm = /^[a-z][a-z0-9+.-]*:\/\/[^/\\?#]+/i;

/** Why a request target has no path: Express itself would answer with a page of its own, or read another path. */
export function unreadableTarget(url = ""): "url" | "path" | undefined {
  if (url.startsWith("/") || url === "*") return undefined;
  if (!URL.canParse(url)) return "url";
  return absoluteForm.test(url) ? undefined : "path";
}

/** The path of a readable request target, as it was sent: in origin form, or in the absolute form of proxies. */
export function pathOf(url = ""): string {
  const target = url.startsWith("/") ? url : url.replace(absoluteForm, "");
  const end = target.search(/[?#]/);
  const path = end < 0 ? target : target.slice(0, end);
  return path === "" ? "/" : path;
}
