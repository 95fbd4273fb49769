/** Stores a device's description in one write job: creates the device, creates it anew, or updates it. */
import { type IdMaker, isNamed } from "@porchlight/shared/kernel";
import { addressKey, type Described, describe, type PropertyAddress } from "@porchlight/shared/model";
import { type DevicePlace, NO_VALUE, type StoredValue } from "@porchlight/shared/rest";
import { PeerRefused } from "@porchlight/shared/tunnel";
import { insertObject, type Quotas } from "../../access/index.ts";
import { propertyChanged } from "../../events/index.ts";
import { one, statement, type Transaction } from "../../store/index.ts";
import { type DescribedDevice, type Hub, standingOf } from "../../tunnels/index.ts";
import { appendDeviceEvent } from "../device-events.ts";
import { type DeviceByEdge, deviceByEdge, dropDevice } from "../device-row.ts";
import { storedValue } from "../value-store.ts";
import { decideDevice, type InventoryDeps, renewDevice } from "./inventory.ts";

export interface DescribeDeps extends InventoryDeps {
  readonly ids: IdMaker;
  readonly quotas: Quotas;
}

/** The answer to a hub with more devices than its quota; its tunnel stays open. */
const QUOTA_EXCEEDED = { code: -32_000, message: "Quota Exceeded" };

type Device = { eco: string; device: string };
type Details = Device & { digest: string; description: string; about: string };

type NewDevice = Details & {
  env: string;
  edge: string;
  client: string;
  arrival: number;
  online: number;
  at: number;
  seen: number | null;
};
const insertDevice = statement<NewDevice>("insert_device")((db, p) =>
  db.insertInto("devices").values({
    ecosystem_id: p.eco,
    id: p.device,
    environment_id: p.env,
    type: "physical",
    edge_id: p.edge,
    client_id: p.client,
    arrival: p.arrival,
    digest: p.digest,
    description: p.description,
    about: p.about,
    online: p.online,
    online_since: p.at,
    last_seen_at: p.seen,
  }),
);
const changeDescription = statement<Details>("change_description")((db, p) =>
  db
    .updateTable("devices")
    .set({ digest: p.digest, description: p.description, about: p.about })
    .where("ecosystem_id", "=", p.eco)
    .where("id", "=", p.device),
);
const selectDetails = statement<Device>("device_details")((db, p) =>
  db
    .selectFrom("devices")
    .select(["description", "about"])
    .where("ecosystem_id", "=", p.eco)
    .where("id", "=", p.device),
);
const selectValues = statement<Device>("device_values")((db, p) =>
  db
    .selectFrom("property_values")
    .select(["service", "idx", "property", "value", "number", "modified_at", "observed_at"])
    .where("ecosystem_id", "=", p.eco)
    .where("device_id", "=", p.device),
);
const dropValue = statement<Device & { service: string; idx: string; property: string }>("drop_value")((db, p) =>
  db
    .deleteFrom("property_values")
    .where("ecosystem_id", "=", p.eco)
    .where("device_id", "=", p.device)
    .where("service", "=", p.service)
    .where("idx", "=", p.idx)
    .where("property", "=", p.property),
);

/** @throws Superseded, PeerRefused (Quota Exceeded), "Service Unavailable" */
export function applyDescription(deps: DescribeDeps, hub: Hub, device: DescribedDevice): Promise<void> {
  const described = describe(device.services);
  return deps.store.writeReport(hub.ecosystemId, device.services.length, async (tx) => {
    await standingOf(tx, hub);
    const known = await deviceByEdge(tx, hub, device.edgeId);
    const decision = decideDevice(known, device, hub.clientId, deps.clock.now());
    switch (decision.kind) {
      case "make":
        if (known) await dropDevice(tx, { eco: hub.ecosystemId, device: known.id });
        return make(deps, tx, hub, device, described);
      case "ours":
        if (!known) return;
        await renewDevice(deps, tx, hub, known, device, decision.moved);
        return update(deps, tx, hub, known, device, described);
      case "deleted":
      case "claimed":
        return;
    }
  });
}

async function make(
  deps: DescribeDeps,
  tx: Transaction,
  hub: Hub,
  device: DescribedDevice,
  described: Described,
): Promise<void> {
  const { ecosystemId: eco, environmentId: env, clientId } = hub;
  await deps.quotas.require(tx, "devicesPerEnvironment", env).catch((error: unknown) => {
    throw isNamed(error, "Quota Exceeded") ? new PeerRefused(QUOTA_EXCEEDED) : error;
  });
  const at = deps.clock.now();
  const id = deps.ids.next("dev");
  await insertObject(tx, { ecosystem_id: eco, id, kind: "dev", environment_id: env, created_at: at });
  await tx.run(insertDevice, {
    eco,
    device: id,
    env,
    edge: device.edgeId,
    client: clientId,
    arrival: device.arrival,
    digest: device.digest,
    description: JSON.stringify(device.services),
    about: JSON.stringify(device.about),
    online: device.online ? 1 : 0,
    at,
    seen: device.online ? at : null,
  });
  await appendDeviceEvent(tx, hub, id, "device.added");
  tx.afterCommit(() => deps.cache.deviceStored(env, { id, clientId, edgeId: device.edgeId, described }));
}

async function update(
  deps: DescribeDeps,
  tx: Transaction,
  hub: Hub,
  known: DeviceByEdge,
  device: DescribedDevice,
  described: Described,
): Promise<void> {
  const { ecosystemId: eco, environmentId: env, clientId } = hub;
  const { id } = known;
  const key = { eco, device: id };
  const description = JSON.stringify(device.services);
  const about = JSON.stringify(device.about);
  const before = await one(tx.all(selectDetails, key));
  await tx.run(changeDescription, { ...key, digest: device.digest, description, about });
  for (const row of await tx.all(selectValues, key)) {
    const { service, idx, property } = row;
    const address = { service, index: idx, property };
    if (described.byKey.has(addressKey(address))) continue;
    await tx.run(dropValue, { ...key, service, idx, property });
    endValue(deps, tx, { ecosystemId: eco, environmentId: env, deviceId: id }, address, storedValue(row));
  }
  if (before?.description !== description || before.about !== about)
    await appendDeviceEvent(tx, hub, id, "device.updated");
  tx.afterCommit(() => deps.cache.deviceStored(env, { id, clientId, edgeId: device.edgeId, described }));
}

/** Ends the value of a property that the device no longer has: history, streams and webhooks are notified. */
function endValue(
  { clock }: Pick<DescribeDeps, "clock">,
  tx: Transaction,
  place: DevicePlace,
  address: PropertyAddress,
  previous: StoredValue,
): void {
  if (previous.value === NO_VALUE) return;
  const at = clock.now();
  const stored = { value: NO_VALUE, number: previous.number, modifiedAt: at, observedAt: at };
  tx.append(propertyChanged(place, address, { stored, previous, cause: { kind: "device" } }));
}
