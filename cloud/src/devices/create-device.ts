/** The POST of a virtual device, which lives in the cloud: stores it with its initial values and their events in one job (A2.1). */
import type { NewDevice, NewProperty, NewService } from "@porchlight/shared/api";
import { type Clock, type FieldProblem, type IdMaker, NamedError } from "@porchlight/shared/kernel";
import {
  type Access,
  CATALOGUE,
  type Described,
  describe,
  hasType,
  LIMIT_NAMES,
  type PropertyDescription,
  propertyShape,
  type ServiceDescription,
  standardProperty,
  type Value,
  valueProblem,
} from "@porchlight/shared/model";
import type { DevicePlace } from "@porchlight/shared/rest";
import { z } from "zod";
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
import { type DeviceSnapshot, deviceNotFound, readDevice } from "./device-row.ts";
import type { EnvironmentCache } from "./environment-cache.ts";
import type { HubView } from "./hub-view.ts";
import { showDevice } from "./list-devices.ts";
import { storeValue } from "./value-store.ts";

interface InitialValue {
  /** `SERVICE:INDEX.PROPERTY`. */
  readonly key: string;
  readonly value: Value;
}

interface Completed {
  readonly description: readonly ServiceDescription[];
  readonly values: readonly InitialValue[];
}

/** Maximum properties of one device: its initial values are stored in one job. */
const MOST_PROPERTIES = 512;
/** The fields of the request that describe a property, in the order in which they are stored and answered. */
const propertySchema = z.object(propertyShape);
/** `min`, `max` or `step`. */
const LIMITS_IN_WORDS = new Intl.ListFormat("en-GB", { type: "disjunction" }).format(
  LIMIT_NAMES.map((name) => `\`${name}\``),
);
const DEFAULT_ACCESS: readonly Access[] = ["read", "notify"];

/**
 * Completes the description from the catalogue: pure, every fault with its place in the body.
 * @throws "Body Parameters Invalid", "Property Value Invalid"
 */
export function completeDescription(services: readonly NewService[]): Completed {
  const problems: FieldProblem[] = [];
  const values: InitialValue[] = [];
  const seen = new Set<string>();
  let count = 0;
  const description = services.map((given, at): ServiceDescription => {
    const { service, index } = given;
    const pointer = `/services/${at}`;
    if (seen.has(`${service}:${index}`))
      problems.push({ pointer, message: `names ${service} with the index ${index} a second time` });
    seen.add(`${service}:${index}`);
    const names = new Set<string>();
    const properties = propertiesOf(given, problems, pointer).map((each, place) => {
      const where = `${pointer}/properties/${place}`;
      if (names.has(each.property)) problems.push({ pointer: where, message: `names ${each.property} a second time` });
      names.add(each.property);
      const property = completeProperty(service, each, problems, where);
      if (each.value !== undefined) {
        requireValue(property, each.value, `${where}/value`, problems);
        values.push({ key: `${service}:${index}.${each.property}`, value: each.value });
      }
      return property;
    });
    count += properties.length;
    return { service, index, properties };
  });
  if (count > MOST_PROPERTIES)
    problems.push({
      pointer: "/services",
      message: `has ${count} properties; a device has at most ${MOST_PROPERTIES}`,
    });
  const [first] = problems;
  if (first)
    throw new NamedError("Body Parameters Invalid", `\`${first.pointer}\` ${first.message}.`, { errors: problems });
  return { description, values };
}

/** The given properties; a name alone selects the standard property, a class without properties selects all of its own. */
function propertiesOf({ service, properties }: NewService, problems: FieldProblem[], pointer: string): NewProperty[] {
  if (properties) return properties.map((each) => (typeof each === "string" ? { property: each } : each));
  const standard = CATALOGUE.get(service);
  if (!standard)
    problems.push({ pointer: `${pointer}/properties`, message: `is missing: ${service} is not a standard class` });
  return (standard ?? []).map(({ property }) => ({ property }));
}

function completeProperty(
  service: string,
  given: NewProperty,
  problems: FieldProblem[],
  pointer: string,
): PropertyDescription {
  const standard = standardProperty(service, given.property);
  const type = given.type ?? standard?.type;
  if (type === undefined) {
    problems.push({
      pointer: `${pointer}/type`,
      message: `is missing: ${service}.${given.property} is not a standard property`,
    });
    return { property: given.property, type: "json", access: DEFAULT_ACCESS };
  }
  if (standard && type !== standard.type && !(type === "integer" && standard.type === "number"))
    problems.push({ pointer: `${pointer}/type`, message: `is ${standard.type} for ${service}.${given.property}` });
  const access = [...new Set(given.access ?? standard?.access ?? DEFAULT_ACCESS)];
  const property: PropertyDescription = propertySchema.parse({ ...standard, ...given, type, access });
  problems.push(...rangeProblems(property, pointer));
  return property;
}

/** The problems of a range that no value can satisfy. */
function rangeProblems(property: PropertyDescription, pointer: string): FieldProblem[] {
  const { type, min, max, values, access } = property;
  const problems: FieldProblem[] = [];
  const isNumber = type === "number" || type === "integer";
  if (!isNumber && LIMIT_NAMES.some((name) => property[name] !== undefined))
    problems.push({ pointer, message: `has ${LIMITS_IN_WORDS}, which a ${type} cannot have` });
  if (min !== undefined && max !== undefined && min > max)
    problems.push({ pointer: `${pointer}/min`, message: "is larger than `max`" });
  if (values && !values.every((value) => hasType({ property: "", type, access }, value)))
    problems.push({ pointer: `${pointer}/values`, message: `has a value that is not of type ${type}` });
  return problems;
}

/** @throws "Property Value Invalid" */
function requireValue(
  property: PropertyDescription,
  value: Value,
  pointer: string,
  problems: readonly FieldProblem[],
): void {
  // Reports the problems of the description before that of the value.
  const problem = problems.length === 0 ? valueProblem(property, value) : undefined;
  if (problem) throw new NamedError("Property Value Invalid", problem, { errors: [{ pointer, message: problem }] });
}

interface CreateDeviceDeps {
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
