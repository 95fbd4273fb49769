/** The POST of a virtual device, which lives in the cloud: stores it with its initial values and their events in one job (A2.1). */
import type { NewDevice } from "@porchlight/shared/api";
import type { Clock, IdMaker } from "@porchlight/shared/kernel";
import { type Described, describe } from "@porchlight/shared/model";
import type { DevicePlace } from "@porchlight/shared/rest";
import {
  audit,
  type Caller,
  DEFAULT_META_PREFIX,
  EMPTY_META,
  insertObject,
  type Quotas,
  type References,
  readAlias,
  replaceMeta,
} from "../access/index.ts";
import { event } from "../events/index.ts";
import { type Store, statement, type Transaction } from "../store/index.ts";
import { completeDescription, type InitialValue } from "./complete-description.ts";
import { type DeviceSnapshot, deviceNotFound, readDevice } from "./device-row.ts";
import type { EnvironmentCache } from "./environment-cache.ts";
import type { HubView } from "./hub-view.ts";
import { showDevice } from "./list-devices.ts";
import { storeValue } from "./value-store.ts";

export interface CreateDeviceDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly ids: IdMaker;
  readonly cache: EnvironmentCache;
  readonly hubs: HubView;
  readonly references: References;
  readonly quotas: Quotas;
}

type NewRow = { eco: string; id: string; env: string; description: string; at: number };
const insertVirtual = statement<NewRow>("insert_virtual_device")((db, p) =>
  db.insertInto("devices").values({
    ecosystem_id: p.eco,
    id: p.id,
    environment_id: p.env,
    type: "virtual",
    edge_id: null,
    client_id: null,
    arrival: 0,
    digest: "",
    description: p.description,
    about: "{}",
    online: 1,
    online_since: p.at,
    last_seen_at: null,
  }),
);

/**
 * @param prefix of system metadata that the request writes under
 * @throws "Body Parameters Invalid", "Property Value Invalid", "Alias Invalid", "Alias Exists", "Metadata Format Invalid",
 * "Quota Exceeded", and those of the environment's reference
 */
export async function createDevice(
  deps: CreateDeviceDeps,
  caller: Caller,
  given: NewDevice,
  prefix: string,
): Promise<DeviceSnapshot> {
  const { store, clock, ids, cache, hubs, references, quotas } = deps;
  const alias = readAlias(given.alias) ?? null;
  const meta = given.meta === undefined ? EMPTY_META : replaceMeta(EMPTY_META, given.meta, prefix);
  const { description, values } = completeDescription(given.services);
  const { ecosystemId: eco, id: env } = await references.resolve(caller, "env", given.environmentId);
  const described = describe(description);
  const id = ids.next("dev");
  return store.write(eco, async (tx) => {
    await quotas.require(tx, "devicesPerEnvironment", env);
    const at = clock.now();
    await insertObject(tx, { ecosystem_id: eco, id, kind: "dev", environment_id: env, alias, meta, created_at: at });
    await tx.run(insertVirtual, { eco, id, env, description: JSON.stringify(description), at });
    await audit(tx, caller, "device.created", id);
    const device = await readDevice(tx, eco, id);
    if (!device) throw deviceNotFound();
    tx.append(event("device.added", env, showDevice(hubs, device, DEFAULT_META_PREFIX)));
    tx.afterCommit(() => cache.deviceStored(env, { id, clientId: null, edgeId: null, described }));
    await storeInitial(deps, tx, { ecosystemId: eco, environmentId: env, deviceId: id }, described, values);
    return device;
  });
}

async function storeInitial(
  { clock, cache }: CreateDeviceDeps,
  tx: Transaction,
  place: DevicePlace,
  described: Described,
  values: readonly InitialValue[],
): Promise<void> {
  const deps = { now: () => clock.now(), listener: cache };
  for (const { key, value } of values) {
    const property = described.byKey.get(key);
    const learned = { value, number: 1, observedAt: clock.now() };
    if (property) await storeValue(tx, deps, place, property, learned, { kind: "device" });
  }
}
