import type { StringFormat } from "../model/service-model.ts";

const pemBody = "MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE";

function pemBlock(label: string, body: string, lineBreak = "\n"): string {
  return [`-----BEGIN ${label}-----`, body, `-----END ${label}-----`, ""].join(lineBreak);
}

/** Texts that a format takes, the plainest first. */
export const formatExamples: Readonly<Record<StringFormat, readonly string[]>> = {
  timestamp: ["2026-11-20T08:30:00.000Z", "2024-02-29T23:59:59.999Z", "2000-02-29T00:00:00.000Z"],
  "offset-timestamp": [
    "2026-11-20T08:30:00Z",
    "2026-11-20T08:30:00.123456+05:30",
    "2024-02-29T23:59:59-12:00",
    "2026-11-20T08:30:00.5-00:00",
  ],
  date: ["20261120", "20240229", "20000229", "20261231"],
  "year-month": ["2026-11", "2026-01"],
  pem: [pemBlock("PUBLIC KEY", pemBody), pemBlock("PUBLIC KEY", `${pemBody}\r\nAQ==`, "\r\n")],
  base64: ["AQID", "AQ==", "AQI=", "+/+/"],
  url: [
    "https://example.com/",
    "http://example.com:8080/path?query=1#part",
    "https://[2001:db8::1]/",
    "HTTPS://EXAMPLE.COM",
    "https://example.com/a@b",
  ],
};

/** Texts that a format refuses, each for a reason of its own. */
export const formatMistakes: Readonly<Record<StringFormat, readonly string[]>> = {
  timestamp: [
    "2026-11-20T08:30:00Z",
    "2026-11-20T08:30:00.00Z",
    "2026-11-20T08:30:00.0000Z",
    "2026-11-20T08:30:00.000+00:00",
    "2026-11-20T08:30:00.000z",
    "2026-11-20t08:30:00.000Z",
    "2026-11-20 08:30:00.000Z",
    "2026-02-29T08:30:00.000Z",
    "2026-04-31T08:30:00.000Z",
    "2026-13-01T08:30:00.000Z",
    "2026-00-01T08:30:00.000Z",
    "2026-11-00T08:30:00.000Z",
    "2026-11-20T24:00:00.000Z",
    "2026-11-20T08:60:00.000Z",
    "2026-11-20T08:30:60.000Z",
    "2026-11-20",
    "2026-11-20T08:30:00.000Z ",
    "2026-11-20T08:30:00.000Z\n",
    "٢٠٢٦-11-20T08:30:00.000Z",
  ],
  "offset-timestamp": [
    "2026-11-20T08:30:00",
    "2026-11-20T08:30:00.Z",
    "2026-11-20T08:30Z",
    "2026-11-20T08:30:00+0530",
    "2026-11-20T08:30:00+5:30",
    "2026-11-20T08:30:00+24:00",
    "2026-11-20T08:30:00+05:60",
    "2026-02-30T08:30:00Z",
    "1900-02-29T08:30:00+01:00",
    "2026-11-20T25:30:00Z",
    "2026-11-20 08:30:00Z",
    "2026-11-20T08:30:00Z\n",
  ],
  date: [
    "20230230",
    "20230229",
    "19000229",
    "20261301",
    "20260001",
    "20261100",
    "20261131",
    "2026-11-20",
    "2026112",
    "202611200",
    " 20261120",
    "20261120\n",
    "٢٠٢٦١١٢٠",
  ],
  "year-month": ["2026-13", "2026-00", "2026-1", "202611", "26-11", "2026-11-01", "2026-11\n"],
  pem: [
    pemBody,
    `-----BEGIN PUBLIC KEY-----\n-----END PUBLIC KEY-----\n`,
    `-----BEGIN PUBLIC KEY-----\n${pemBody}\n-----END PRIVATE KEY-----\n`,
    `-----BEGIN PUBLIC KEY-----\n${pemBody}\n`,
    `-----BEGIN PUBLIC KEY-----${pemBody}-----END PUBLIC KEY-----`,
    `${pemBlock("PUBLIC KEY", pemBody)}${pemBlock("PUBLIC KEY", pemBody)}`,
    `${pemBlock("PUBLIC KEY", pemBody)}trailing`,
    `leading\n${pemBlock("PUBLIC KEY", pemBody)}`,
    pemBlock("PUBLIC KEY", "not base64!"),
    pemBlock("PUBLIC KEY", "AQ==\nAQID"),
  ],
  base64: ["AQ", "AQI", "AQ=", "AQID=", "A===", "AR==", "AQJ=", "AQID\n", "AQ ID", "-_-_", "AQ==AQ=="],
  url: [
    "example.com",
    "/path",
    "ftp://example.com/",
    "javascript:alert(1)",
    "https://",
    "https:example.com",
    "https://user@example.com/",
    "https://user:secret@example.com/",
    "https://example.com\\@evil.example/",
    "https://exa mple.com/",
    "https://example.com/a b",
    " https://example.com/",
    "https://example.com/\n",
    "https://example.com:99999/",
    "https://[::1/",
  ],
};
