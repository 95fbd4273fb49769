/** The data folder of a hub, created at the first start together with the hub's identity. */
import { mkdirSync } from "node:fs";
import { networkInterfaces } from "node:os";
import { join } from "node:path";
import type { Random } from "@porchlight/shared/kernel";
import { hardwareEdgeId, type Identity, openIdentity } from "./identity.ts";

/**
 * Opens the folder, or creates it.
 * @param edgeId configured by the operator: counts at the first start only
 * @throws IdentityUnusable, SystemError of the file system
 */
export function openHub(dataDir: string, random: Random, edgeId?: string): Identity {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const hardware = () => hardwareEdgeId(networkInterfaces());
  return openIdentity(join(dataDir, "identity.key"), { random, edgeId, hardware });
}
