import { expect, test } from "vitest";
import { withoutUrlSecrets } from "../../runtime/platform/url-secrets.ts";

test.each([
  ["http://collector:4318/v1/traces", "http://collector:4318/v1/traces"],
  ["https://ann:s3cret@collector/v1?x=1", "https://***@collector/v1?x=1"],
  ["postgres://ledger:p@ss@db/ledger", "postgres://***@db/ledger"],
  ["https://ghp_token@host, http://a:b@c", "https://***@host, http://***@c"],
  ["https://h/?token=t&x=1&api_key=k#f", "https://h/?token=***&x=1&api_key=***#f"],
  ["GET /a?access_token=t HTTP/1.1", "GET /a?access_token=*** HTTP/1.1"],
  ["https://h/a?X-Amz-Signature=s&sslpassword=p", "https://h/a?X-Amz-Signature=***&sslpassword=***"],
  ['{"url":"https://a:b@c","mail":"ann@bank.example"}', '{"url":"https://***@c","mail":"ann@bank.example"}'],
  ["is 1:2@3 what? token", "is 1:2@3 what? token"],
  ["https://h/@user/a", "https://h/@user/a"],
  ["https://ann:pa/ss@h/v1", "https://***@h/v1"],
  ["postgres://ann:pa#s?s@h/v1", "postgres://***@h/v1"],
  ["htps:/ann:s3cret@h", "htps://***@h"],
  ["http://h:8080/@user/a?b#c@d", "http://h:8080/@user/a?b#c@d"],
  ["https://ann:s3cret@h/a?to=ann@bank.example", "https://***@h/a?to=ann@bank.example"],
  ["C:/a/@b/c:1", "C:/a/@b/c:1"],
])("%s is shown as %s", (text, shown) => {
  expect(withoutUrlSecrets(text)).toBe(shown);
});
