/** DER as it should be (X.690), and every way of getting it a little wrong. */
export function derInteger(value: bigint): Buffer {
  let bytes = 1;
  while (BigInt.asIntN(bytes * 8, value) !== value) bytes += 1;
  const digits = BigInt.asUintN(bytes * 8, value).toString(16);
  return tlv(0x02, Buffer.from(digits.padStart(bytes * 2, "0"), "hex"));
}

export function tlv(tag: number, content: Uint8Array): Buffer {
  if (content.length > 127) throw new Error("only the short form of lengths is written here");
  return Buffer.concat([Buffer.of(tag, content.length), content]);
}

export function derSignature(r: bigint, s: bigint): Buffer {
  return tlv(0x30, Buffer.concat([derInteger(r), derInteger(s)]));
}

export type Broken = readonly [what: string, bytes: Buffer];

/** One element, mistaken in its tag, in its length or in its content. */
export function brokenElement(good: Buffer): readonly Broken[] {
  const [tag = 0, length = 0] = good;
  const content = good.subarray(2);
  const withHead = (...head: number[]) => Buffer.concat([Buffer.from(head), content]);
  return [
    ["length in long form", withHead(tag, 0x81, length)],
    ["length with a leading zero", withHead(tag, 0x82, 0, length)],
    ["length of five bytes", withHead(tag, 0x85, 0, 0, 0, 0, length)],
    ["length of 2^32 more", withHead(tag, 0x85, 1, 0, 0, 0, length)],
    ["length of 2^64 more", withHead(tag, 0x89, 1, 0, 0, 0, 0, 0, 0, 0, length)],
    ["length of 2^31 - 1", withHead(tag, 0x84, 0x7f, 0xff, 0xff, 0xff)],
    ["length of 2^32 - 1", withHead(tag, 0x84, 0xff, 0xff, 0xff, 0xff)],
    ["length of 0xff", withHead(tag, 0xff)],
    ["length one too many", withHead(tag, length + 1)],
    ["length one too few", withHead(tag, length - 1)],
    ["length 0", withHead(tag, 0)],
    ["length left out", withHead(tag)],
    ["length indefinite", Buffer.concat([withHead(tag, 0x80), Buffer.of(0, 0)])],
    ["length indefinite, no end", withHead(tag, 0x80)],
    ["tag left out", withHead(length)],
    ...[0, 1, 3, 4, 5, 6, 9, 0x0a, 0x0c, 0x10, 0x13, 0x22, 0x31, 0x42, 0x82, 0xa0, 0xa2, 0xff]
      .filter((other) => other !== tag)
      .map((other): Broken => [`tag ${other.toString(16)}`, withHead(other, length)]),
    ["empty", tlv(tag, Buffer.alloc(0))],
    ["a zero before", tlv(tag, Buffer.concat([Buffer.of(0), content]))],
    ["a zero after", tlv(tag, Buffer.concat([content, Buffer.of(0)]))],
    ["a NULL within", tlv(tag, Buffer.concat([content, Buffer.of(5, 0)]))],
    ["0xff before", tlv(tag, Buffer.concat([Buffer.of(0xff), content]))],
    ["its first byte left out", tlv(tag, content.subarray(1))],
    ["its last byte left out", tlv(tag, content.subarray(0, -1))],
    ["its first bit set", tlv(tag, flipped(content, 0, 0x80))],
    ["its last bit turned", tlv(tag, flipped(content, content.length - 1, 1))],
    ["left out", Buffer.alloc(0)],
    ["there twice", Buffer.concat([good, good])],
    ["followed by a zero", Buffer.concat([good, Buffer.of(0)])],
    ["followed by a NULL", Buffer.concat([good, Buffer.of(5, 0)])],
    ["in a SEQUENCE", tlv(0x30, good)],
  ];
}

/** What a signature may hold in place of a number. */
export const otherTypes: readonly Broken[] = [
  ["TRUE", Buffer.of(1, 1, 0xff)],
  ["FALSE", Buffer.of(1, 1, 0)],
  ["NULL", Buffer.of(5, 0)],
  ["an empty text", Buffer.of(0x0c, 0)],
  ["a text", Buffer.of(0x0c, 1, 0x30)],
  ["the number 0.25", Buffer.of(9, 3, 0x80, 0xfe, 1)],
  ["NaN", Buffer.of(9, 1, 0x42)],
  ["an object's id", Buffer.of(6, 1, 0)],
  ["an empty SEQUENCE", Buffer.of(0x30, 0)],
  ["a SEQUENCE of one", Buffer.of(0x30, 3, 2, 1, 1)],
  ["a SET", Buffer.of(0x31, 0)],
  ["an INTEGER without content", Buffer.of(2, 0)],
];

function flipped(bytes: Buffer, at: number, bits: number): Buffer {
  const copy = Buffer.from(bytes);
  copy[at] = (copy[at] ?? 0) ^ bits;
  return copy;
}
