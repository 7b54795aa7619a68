import type { StringFormat } from "../../conformance/suite/shape.ts";

const timeOfDay = "(?:[01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]";
const offset = "(?:Z|[+-](?:[01][0-9]|2[0-3]):[0-5][0-9])";
const base64Group = "[A-Za-z0-9+/]";

const leapYear = "(?:[0-9]{2}(?:0[48]|[2468][048]|[13579][26])|(?:[02468][048]|[13579][26])00)";
const monthDay = (separator: string) =>
  `(?:(?:0[13578]|1[02])${separator}(?:0[1-9]|[12][0-9]|3[01])|(?:0[469]|11)${separator}(?:0[1-9]|[12][0-9]|30)|02${separator}(?:0[1-9]|1[0-9]|2[0-8]))`;
const dayWith = (separator: string) =>
  `(?:${leapYear}${separator}02${separator}29|[0-9]{4}${separator}${monthDay(separator)})`;
const day = dayWith("-");
/** RFC 3339: either case, and a leap second at any minute. */
const time = `(?:[01][0-9]|2[0-3]):[0-5][0-9]:(?:[0-5][0-9]|60)(?:\\.[0-9]+)?(?:[Zz]|[+-](?:[01][0-9]|2[0-3]):[0-5][0-9])`;

const octet = "(?:25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])";
const ipv4 = `${octet}(?:\\.${octet}){3}`;
const h16 = "[0-9A-Fa-f]{1,4}";
const ls32 = `(?:${h16}:${h16}|${ipv4})`;
/** RFC 3986: how many groups stand before `::`, and what follows. */
const ipv6 = [
  `(?:${h16}:){6}${ls32}`,
  `::(?:${h16}:){5}${ls32}`,
  `(?:${h16})?::(?:${h16}:){4}${ls32}`,
  `(?:(?:${h16}:){0,1}${h16})?::(?:${h16}:){3}${ls32}`,
  `(?:(?:${h16}:){0,2}${h16})?::(?:${h16}:){2}${ls32}`,
  `(?:(?:${h16}:){0,3}${h16})?::${h16}:${ls32}`,
  `(?:(?:${h16}:){0,4}${h16})?::${ls32}`,
  `(?:(?:${h16}:){0,5}${h16})?::${h16}`,
  `(?:(?:${h16}:){0,6}${h16})?::`,
].join("|");

const label = "[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?";
const hostname = `(?:${label}\\.){0,126}${label}`;
const localPart = "[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+";
const pathCharacter = "(?:[A-Za-z0-9._~!$&'()*+,;=:@/-]|%[0-9A-Fa-f]{2})";
const queryCharacter = "(?:[A-Za-z0-9._~!$&'()*+,;=:@/?-]|%[0-9A-Fa-f]{2})";
const userCharacter = "(?:[A-Za-z0-9._~!$&'()*+,;=:-]|%[0-9A-Fa-f]{2})";
const scheme = "[A-Za-z][A-Za-z0-9+.-]*:";
/** An authority with an IPv6 address is the one place for brackets. */
const afterScheme = `(?://(?:${userCharacter}*@)?\\[[0-9A-Fa-f:.]+\\](?::[0-9]*)?(?:/${pathCharacter}*)?|${pathCharacter}*)(?:\\?${queryCharacter}*)?(?:#${queryCharacter}*)?`;
/** Hosts of `url` are read as the URL standard reads them: a last label that is a number makes an IPv4 address. */
const hostCharacter = "[!\\u0022$&'()*+,;=_`{}~A-Za-z0-9-]";
const notDigit = hostCharacter.replace("0-9", "");
/** A last label that is not a number. */
const nameLabel = [
  `(?:${notDigit}${hostCharacter}*`,
  `[1-9][0-9]*${notDigit}${hostCharacter}*`,
  `0[0-9]+${notDigit}${hostCharacter}*`,
  `0${notDigit.replace("A-Za-z", "A-WYZa-wyz")}${hostCharacter}*`,
  `0[Xx][0-9A-Fa-f]*${hostCharacter.replace("A-Za-z0-9", "G-Zg-z")}${hostCharacter}*)`,
].join("|");
const hostName = `(?:${hostCharacter}*\\.)*(?:${nameLabel}\\.?|\\.)`;
/** A name that is not ASCII, or has an escape: whether it is one, no pattern can say (UTS #46). */
const otherHost = `(?:${hostCharacter}|\\.)*[^\\u0000-\\u0024\\u0026-\\u007F][^\\u0000-\\u0020\\u007F/?#@\\\\:<>[\\]^|]*`;
/** Numbers of one to four bytes, in decimal, octal or hexadecimal digits: the last one fills what is left of an address. */
const numbers = [
  "[1-7][0-7]?|[1-3][0-7]{2}",
  "[1-7][0-7]{0,4}|1[0-7]{5}",
  "[1-7][0-7]{0,7}",
  "[1-7][0-7]{0,9}|[1-3][0-7]{10}",
].map((octal, at) => {
  const hexadecimal = `[1-9A-Fa-f][0-9A-Fa-f]{0,${2 * at + 1}}`;
  return `(?:0+(?:${octal})?|0[Xx]0*(?:${hexadecimal})?|${upTo(2 ** (8 * at + 8) - 1)})`;
});
const [oneByte, twoBytes, threeBytes, fourBytes] = numbers;
const address = `(?:${fourBytes}|${oneByte}\\.(?:${threeBytes}|${oneByte}\\.(?:${twoBytes}|${oneByte}\\.${oneByte})))`;
const urlHost = `(?:\\[(?:${ipv6})\\]|${address}\\.?|${hostName}|${otherHost})`;
const port = `:0*(?:${upTo(65_535)})?`;

const durationTime = "T(?:[0-9]+H(?:[0-9]+M(?:[0-9]+S)?)?|[0-9]+M(?:[0-9]+S)?|[0-9]+S)";
const durationDate = "(?:[0-9]+D|[0-9]+M(?:[0-9]+D)?|[0-9]+Y(?:[0-9]+M(?:[0-9]+D)?)?)";

/**
 * Each string format as ECMAScript source for the `u` flag: ASCII without quotes, anchored, linear. A pattern decides its format
 * alone, except `url`: a host that is not plain ASCII must also be one that a URL parser takes.
 *
 * `timestamp` and `offset-timestamp` have no leap seconds and no lower-case `t` and `z`. `iso-date`, `duration` and
 * `date-time` are those of RFC 3339, `uri` and `uri-reference` of RFC 3986, `hostname` of RFC 1123, `json-pointer` of
 * RFC 6901. `base64` is RFC 4648 section 4 with padding and zero trailing bits. `pem` is one block of RFC 7468 with
 * nothing before it and at most a line break after it.
 */
export const formatPatterns: Readonly<Record<StringFormat, string>> = {
  timestamp: `^${day}T${timeOfDay}\\.[0-9]{3}Z$`,
  "offset-timestamp": `^${day}T${timeOfDay}(?:\\.[0-9]+)?${offset}$`,
  date: `^${dayWith("")}$`,
  "year-month": "^[0-9]{4}-(?:0[1-9]|1[0-2])$",
  pem: `^-----BEGIN ([A-Z0-9 ]+)-----\\r?\\n(?:${base64Group}+\\r?\\n)*${base64Group}+={0,2}\\r?\\n-----END \\1-----(?:\\r?\\n)?$`,
  base64: `^(?:${base64Group}{4})*(?:${base64Group}[AQgw]==|${base64Group}{2}[AEIMQUYcgkosw048]=)?$`,
  url: `^[Hh][Tt][Tt][Pp][Ss]?://${urlHost}(?:${port})?(?:[/?#][^\\u0000-\\u0020\\u007F]*)?$`,
  uuid: "^[0-9A-Fa-f]{8}-(?:[0-9A-Fa-f]{4}-){3}[0-9A-Fa-f]{12}$",
  uri: `^${scheme}${afterScheme}$`,
  "uri-reference": `^(?:${scheme})?${afterScheme}$`,
  email: `^${localPart}(?:\\.${localPart})*@${hostname}$`,
  "date-time": `^${day}[Tt]${time}$`,
  "iso-date": `^${day}$`,
  time: `^${time}$`,
  duration: `^P(?:[0-9]+W|${durationDate}(?:${durationTime})?|${durationTime})$`,
  ipv4: `^${ipv4}$`,
  ipv6: `^(?:${ipv6})$`,
  hostname: `^${hostname}$`,
  "json-pointer": "^(?:/(?:[^~/]|~[01])*)*$",
};

/** The decimal numbers from 1 to the given one, without zeros in front. */
function upTo(most: number): string {
  const digits = String(most);
  const shorter = `[1-9][0-9]{0,${digits.length - 2}}`;
  const smaller = Array.from(digits, (digit, at) => {
    const least = at === 0 ? 1 : 0;
    const rest = digits.length - at - 1;
    if (Number(digit) === least) return [];
    const lower = Number(digit) - 1 === least ? String(least) : `[${least}-${Number(digit) - 1}]`;
    return [`${digits.slice(0, at)}${lower}${["", "[0-9]"][rest] ?? `[0-9]{${rest}}`}`];
  });
  return [shorter, ...smaller.flat(), digits].join("|");
}
