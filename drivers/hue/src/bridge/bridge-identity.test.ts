import { X509Certificate } from "node:crypto";
import { describe, expect, test } from "vitest";
import {
  BRIDGE_ROOTS,
  type BridgeIdentity,
  bridgeIdentityOf,
  type KnownBridge,
  type PeerCertificate,
} from "./https-client.ts";

const ID = "001788FFFEAABBCC";
const peer: PeerCertificate = { isSigned: true, name: ID.toLowerCase(), fingerprint: "AA:BB" };
const known: KnownBridge = { bridgeId: ID };

describe("what answers is", () => {
  test.each<[what: string, peer: PeerCertificate, known: KnownBridge, isPairing: boolean, identity: BridgeIdentity]>([
    ["the bridge, by its maker's word", peer, known, false, "signed"],
    ["another bridge of the maker", { ...peer, name: "001788FFFE000000" }, known, true, "other"],
    ["an older bridge at pairing", { ...peer, isSigned: false }, known, true, "new"],
    ["an older bridge afterwards", { ...peer, isSigned: false }, { ...known, pinned: "AA:BB" }, false, "pinned"],
    ["an impostor with its own certificate", { ...peer, isSigned: false }, { ...known, pinned: "CC" }, true, "other"],
    ["an impostor in place of a signed bridge", { ...peer, isSigned: false }, known, false, "other"],
    ["an impostor without the name, at pairing", { ...peer, isSigned: false, name: "router" }, known, true, "other"],
    ["an older bridge that is signed since", peer, { ...known, pinned: "CC" }, false, "signed"],
  ])("%s", (_, given, expected, isPairing, identity) => {
    expect(bridgeIdentityOf(given, expected, isPairing)).toBe(identity);
  });

  test("judged by the maker's own authorities", () => {
    const roots = BRIDGE_ROOTS.map((pem) => new X509Certificate(pem));
    expect(roots.map(({ fingerprint256 }) => fingerprint256.replaceAll(":", ""))).toEqual([
      "F0BD8E6509E82F774D63BC009D5388C969FE3DCF7D6D541D6351B72B898D8ACF",
      "D8B89448B2AF8E1676185AC07219EE9DCBC8F01C122A026A2A4B7B5CFE0328B8",
    ]);
    expect(roots.every((root) => root.ca && root.verify(root.publicKey))).toBe(true);
  });
});
