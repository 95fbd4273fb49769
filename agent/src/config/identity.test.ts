import { createPublicKey, verify } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { seededRandom, systemRandom } from "@porchlight/shared/kernel";
import { isEdgeId } from "@porchlight/shared/model";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { hardwareEdgeId, IdentityUnusable, madeEdgeId, openIdentity } from "./identity.ts";

let folder = "";
let path = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "porchlight-identity-"));
  path = join(folder, "identity.key");
});
afterEach(() => rmSync(folder, { recursive: true }));

const CARD = "00-1B-44-11-3A-B7";
const open = (edgeId?: string, hardware = () => CARD as string | undefined) =>
  openIdentity(path, { random: systemRandom, edgeId, hardware });

describe("the hub's identity", () => {
  test("is made at the first start, for its owner's eyes only, and is the same at every other", () => {
    const first = open();
    expect(statSync(path).mode & 0o777).toBe(0o600);
    const again = open(undefined, () => "00-00-00-00-00-99");
    expect([again.edgeId, again.publicKey]).toEqual([CARD, first.publicKey]);
  });

  test("signs with the key that it shows", () => {
    const { publicKey, sign } = open();
    const key = createPublicKey({ key: Buffer.from(publicKey, "base64"), format: "der", type: "spki" });
    const bytes = Buffer.from("proof");
    expect(verify(null, bytes, key, Buffer.from(sign(bytes), "base64"))).toBe(true);
  });

  test("two hubs have two keys", () => {
    const first = open().publicKey;
    rmSync(path);
    expect(open().publicKey).not.toBe(first);
  });

  test("takes the edgeId that a person gives, at the first start only", () => {
    expect(open("02-00-00-00-00-07").edgeId).toBe("02-00-00-00-00-07");
    expect(open("02-00-00-00-00-07").edgeId).toBe("02-00-00-00-00-07");
    expect(() => open("02-00-00-00-00-08")).toThrow("has had the edgeId 02-00-00-00-00-07 since its first start");
  });

  test("makes an edgeId where the hardware has none", () => {
    expect(open(undefined, () => undefined).edgeId).toMatch(/^[0-9A-F][26AE]-/);
  });

  test.each(["", "edge-id: 00-1B-44-11-3A-B7\n", "nonsense"])("that is damaged is never replaced (%j)", (text) => {
    writeFileSync(path, text);
    expect(() => open()).toThrow(IdentityUnusable);
    expect(readFileSync(path, "utf8")).toBe(text);
  });
});

describe("the hardware's edgeId", () => {
  const card = (mac: string, internal = false) => ({
    address: "10.0.0.2",
    netmask: "",
    family: "IPv4" as const,
    mac,
    internal,
    cidr: null,
  });

  test("is that of the first network card that is really one", () => {
    const interfaces = {
      lo: [card("00:00:00:00:00:00", true)],
      tun0: [card("00:00:00:00:00:00")],
      eth0: [card("00:1b:44:11:3a:b7")],
      eth1: [card("00:1b:44:11:3a:b8")],
    };
    expect(hardwareEdgeId(interfaces)).toBe(CARD);
    expect(hardwareEdgeId({ lo: interfaces.lo })).toBeUndefined();
  });

  test("is a valid, locally administered, single address when it is made", () => {
    for (let seed = 0; seed < 50; seed++) {
      const edgeId = madeEdgeId(seededRandom(seed));
      expect(isEdgeId(edgeId)).toBe(true);
      expect(Number.parseInt(edgeId.slice(0, 2), 16) & 3).toBe(2);
    }
  });
});
