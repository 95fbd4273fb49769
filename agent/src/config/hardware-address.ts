/** The hub's edgeId when none is configured: its network hardware's address, or a generated one marked as such. */
import type { NetworkInterfaceInfo } from "node:os";
import type { Random } from "@porchlight/shared/kernel";

/** The first address of a network card that is really one, as an edgeId. */
export function hardwareEdgeId(
  interfaces: Readonly<Record<string, NetworkInterfaceInfo[] | undefined>>,
): string | undefined {
  for (const addresses of Object.values(interfaces)) {
    for (const { internal, mac } of addresses ?? []) {
      if (!internal && /^[0-9a-f]{2}(:[0-9a-f]{2}){5}$/i.test(mac) && !/^(00|ff)(:\1){5}$/i.test(mac)) {
        return mac.replaceAll(":", "-").toUpperCase();
      }
    }
  }
  return undefined;
}

/** A random EUI-48 with the locally administered bit set and the multicast bit clear. */
export function madeEdgeId(random: Random): string {
  const bytes = random.bytes(6);
  const pairs = Array.from(bytes, (byte, place) => (place === 0 ? (byte & 0xfc) | 0x02 : byte));
  return pairs.map((byte) => byte.toString(16).padStart(2, "0").toUpperCase()).join("-");
}
