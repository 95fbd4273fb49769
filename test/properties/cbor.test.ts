/** The CBOR profile against any value and any bytes, with cbor-x as an oracle that shares no line with it. */
import { isUtf8 } from "node:buffer";
import type { Value } from "@porchlight/shared/model";
import { decodeBody, decodeCbor, encodeCbor } from "@porchlight/shared/wire";
import { Decoder, Encoder } from "cbor-x";
import fc from "fast-check";
import { expect, test } from "vitest";

const scalar = fc.oneof(
  fc.constant(null),
  fc.boolean(),
  fc.maxSafeInteger(),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => value + 0),
  fc.float({ noNaN: true, noDefaultInfinity: true }).map((value) => value + 0),
  fc.string({ unit: "binary" }),
);
const { value } = fc.letrec<{ value: Value }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 6, depthSize: "small" },
    scalar,
    fc.array(tie("value"), { maxLength: 6 }),
    fc.dictionary(fc.string({ unit: "binary" }), tie("value"), { maxKeys: 6, noNullPrototype: true }),
  ),
}));

test("every value of the profile comes back as it was", () => {
  fc.assert(
    fc.property(value, (sent) => {
      expect(decodeCbor(encodeCbor(sent))).toEqual({ kind: "value", value: sent });
    }),
  );
});

test("another implementation reads every sent value", () => {
  const oracle = new Decoder({ mapsAsObjects: false, useRecords: false });
  fc.assert(
    fc.property(value, (sent) => {
      expect(plain(oracle.decode(Buffer.from(encodeCbor(sent))))).toEqual(sent);
    }),
  );
});

test("every value of another implementation is read", () => {
  const oracle = new Encoder({ useRecords: false, variableMapSize: true, tagUint8Array: false });
  fc.assert(
    fc.property(value, (sent) => {
      // cbor-x writes this key under another name.
      fc.pre(!JSON.stringify(sent).includes("__proto__"));
      expect(decodeCbor(oracle.encode(sent))).toEqual({ kind: "value", value: sent });
    }),
  );
});

test("any bytes give a value or a named damage, and a decoded value can be sent again", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
      const decoded = decodeCbor(bytes);
      if (decoded.kind === "damage") expect(["bad_cbor", "trailing_bytes"]).toContain(decoded.reason);
      else expect(decodeCbor(encodeCbor(decoded.value))).toEqual(decoded);
      expect(["message", "damage", "unknown_type", "malformed", "other_version"]).toContain(decodeBody(bytes).kind);
    }),
    { numRuns: 2000 },
  );
});

test("a good message with any byte changed is a message or a named damage", () => {
  const good = Buffer.from("8605190102006a4c69676874436f6c6f720063687565", "hex");
  fc.assert(
    fc.property(fc.nat(good.length - 1), fc.nat(255), (at, byte) => {
      const changed = Uint8Array.from(good);
      changed[at] = byte;
      expect(decodeBody(changed).kind).toBeDefined();
    }),
    { numRuns: 1000 },
  );
});

test("a text is taken exactly when it is UTF-8", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 20 }), (bytes) => {
      const item = Uint8Array.of(0x60 + bytes.length, ...bytes);
      expect(decodeCbor(item).kind).toBe(isUtf8(bytes) ? "value" : "damage");
    }),
  );
});

/** The oracle's maps as objects with keys of their own, `__proto__` included. */
function plain(item: unknown): unknown {
  if (Array.isArray(item)) return item.map(plain);
  if (typeof item === "bigint") return Number(item);
  if (!(item instanceof Map)) return item;
  return Object.fromEntries([...item].map(([key, member]) => [key, plain(member)]));
}
