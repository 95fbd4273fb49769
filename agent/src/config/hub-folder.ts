/** The folder of everything that a hub keeps, made at the first start together with who the hub is. */
import { mkdirSync } from "node:fs";
import { networkInterfaces } from "node:os";
import { join } from "node:path";
import type { Random } from "@porchlight/shared/kernel";
import { hardwareEdgeId, type Identity, openIdentity } from "./identity.ts";

/**
 * Opens the folder, or makes it.
 * @param edgeId asked for by a person: counts at the first start only
 * @throws IdentityUnusable, SystemError of the file system
 */
export function openHub(dataDir: string, random: Random, edgeId?: string): Identity {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const hardware = () => hardwareEdgeId(networkInterfaces());
  return openIdentity(join(dataDir, "identity.key"), { random, edgeId, hardware });
}
