/** Hubs and their devices: the tunnels, what is stored of devices, and what is asked of them. */
import type { Scope } from "@porchlight/shared/kernel";
import { DeviceMemory, Devices } from "../devices/index.ts";
import type { Presence } from "../places/index.ts";
import { HubScenes } from "../scenes/index.ts";
import { Tunnels } from "../tunnels/index.ts";
import type { AccessParts } from "./access-parts.ts";
import type { Core } from "./core.ts";

export interface DeviceParts {
  /** To be ended by the caller, with the HTTP server. */
  readonly tunnels: Tunnels;
  /** To be ended by the caller, after the tunnels. */
  readonly devices: Devices;
  readonly presence: Presence;
}

export async function startDevices(core: Core, access: AccessParts, scope: Scope): Promise<DeviceParts> {
  const { settings, clock, random, ids, log, store, nodes } = core;
  const { quotas, references, revocations, tokens } = access;
  const stored = { store, clock, ids, log, quotas, others: nodes };
  const memory = new DeviceMemory(stored);
  const others = nodes && { invalidations: nodes.invalidations, onTaken: nodes.taken.bind(nodes) };
  const listener = memory.hubEvents;
  const tunnels = await Tunnels.start({ store, clock, random, log, tokens, listener, settings, others });
  scope.defer(revocations.listen((revocation) => tunnels.revoke(revocation)));
  const connection = tunnels.presence.connection.bind(tunnels.presence);
  const hubs = { live: (clientId: string) => tunnels.registry.live(clientId), connection };
  const devices = Devices.start({ ...stored, references, memory, hubs, nodes });
  memory.teller.add(new HubScenes({ store, devices }));
  return { tunnels, devices, presence: connection };
}
