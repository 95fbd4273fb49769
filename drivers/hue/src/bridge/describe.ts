/** Describes the devices of a bridge from its resources. Pure. */
import {
  type DeviceAddresses,
  derivedEdgeId,
  edgeIdOfEui,
  type KeptIdentities,
  type Thing,
  type Work,
} from "@porchlight/driver-kit";
import type { DeviceAbout, PropertyDescription, Value } from "@porchlight/shared/model";
import { lampLeftAside, lampProperties } from "./lamps.ts";
import {
  fieldAt,
  numberAt,
  type Reference,
  type Resource,
  type ResourceSet,
  referencesAt,
  textAt,
} from "./resource.ts";
import { type HueDevice, type HueProperty, sceneProperties } from "./scenes.ts";
import { ofClass, sensorReadings } from "./sensors.ts";

type Resources = Pick<ResourceSet, "get" | "ofType">;

/** Maximum devices of a bridge, rooms and zones included. */
const MOST = 500;
/** Maximum devices examined; not all of them have something to describe. */
const MOST_LISTED = 2 * MOST;
/** Maximum properties of a device; a description has room for 64 services. */
const MOST_PROPERTIES = 64;
/** Maximum services examined for a device. */
const MOST_SERVICES = 256;
/** Steps of work to describe a device or a room, without its services. */
const STEPS_OF_DEVICE = 10;
/** Steps of work to read a service or a scene. */
const STEPS_OF_SERVICE = 4;
/** Highest index of a service. */
const HIGHEST_NUMBER = 999;
/** Service types without a use for people. */
const SILENT: ReadonlySet<string> = new Set(["zigbee_connectivity", "entertainment", "device_software_update"]);

/** Stored edgeIds and addresses of devices and their properties. */
export interface KeptNames {
  readonly identities: Pick<KeptIdentities, "edgeIdOf">;
  readonly addresses: Pick<DeviceAddresses, "place">;
}

/** @param bridgeId ID of the bridge, which stays when its address changes */
export function* describeDevices(resources: Resources, bridgeId: string, kept: KeptNames): Work<readonly HueDevice[]> {
  const found: HueDevice[] = [];
  const scenes = [...resources.ofType("scene"), ...resources.ofType("smart_scene")];
  const rooms = [...resources.ofType("room"), ...resources.ofType("zone")];
  for (const each of [...resources.ofType("device").filter((device) => !isBridge(device)), ...rooms].slice(
    0,
    MOST_LISTED,
  )) {
    if (found.length >= MOST) break;
    const isRoom = each.type !== "device";
    const device = isRoom
      ? describeRoom(each, scenes, resources, bridgeId, kept)
      : describeDevice(each, resources, bridgeId, kept);
    if (device.properties.length > 0) found.push(device);
    const services = isRoom ? scenes.length : servicesOf(each).length;
    yield STEPS_OF_DEVICE + services * STEPS_OF_SERVICE;
  }
  return found;
}

function servicesOf(device: Resource): readonly Reference[] {
  return referencesAt(device, "services").slice(0, MOST_SERVICES);
}

function isBridge(device: Resource): boolean {
  return servicesOf(device).some(({ rtype }) => rtype === "bridge");
}

function describeDevice(device: Resource, resources: Resources, bridgeId: string, kept: KeptNames): HueDevice {
  const services = servicesOf(device).flatMap(({ rid }) => resources.get(rid) ?? []);
  const connectivity = services.find(({ type }) => type === "zigbee_connectivity");
  const own = edgeIdOfEui(textAt(connectivity, "mac_address") ?? "");
  const edgeId = own ?? kept.identities.edgeIdOf(device.id, derivedEdgeId("hue", bridgeId, device.id));
  const leftAside: Record<string, number> = {};
  const things = services.map((service) => {
    const found = propertiesOf(service);
    for (const what of leftAsideOf(service, found)) leftAside[what] = (leftAside[what] ?? 0) + 1;
    return thingOf(service, found, buttonNumber(service, services));
  });
  const properties = placed(device, edgeId, things, kept);
  return {
    edgeId,
    identity: own === undefined ? device.id : undefined,
    about: aboutDevice(device),
    properties: properties.slice(0, MOST_PROPERTIES),
    connectivity: connectivity?.id,
    identify: fieldAt(device, "identify") === undefined ? undefined : referenceTo(device),
    leftAside,
  };
}

/** A room or zone: its lamps as a group, and its scenes. */
function describeRoom(
  room: Resource,
  scenes: readonly Resource[],
  resources: Resources,
  bridgeId: string,
  kept: KeptNames,
): HueDevice {
  const groups = servicesOf(room).filter(({ rtype }) => rtype === "grouped_light");
  const lights = groups.flatMap(({ rid }) => resources.get(rid) ?? []);
  const edgeId = kept.identities.edgeIdOf(room.id, derivedEdgeId("hue", bridgeId, room.id));
  const things = lights.map((light) => thingOf(light, lampProperties(light, referenceTo(light))));
  const properties = [...placed(room, edgeId, things, kept), ...sceneProperties(referenceTo(room), scenes)];
  return {
    edgeId,
    identity: room.id,
    about: { name: nameOf(room), model: room.type === "zone" ? "Hue zone" : "Hue room" },
    properties,
    leftAside: {},
  };
}

function propertiesOf(service: Resource): HueProperty[] {
  const of = referenceTo(service);
  if (service.type === "light") return lampProperties(service, of);
  if (service.type === "button") return buttonProperties(of);
  if (service.type === "relative_rotary") return dialProperties(of);
  return sensorReadings(service, of);
}

/** A service of a device: it has its own ID, and its place in the bridge's list may change. */
interface ServiceThing extends Thing {
  readonly described: readonly HueProperty[];
}

function thingOf({ id }: Resource, described: readonly HueProperty[], index?: number): ServiceThing {
  return { id, index, described, properties: described.map(({ address }) => address) };
}

/** @param owner the device or room; after it has been added to the bridge again, it has other services, which get new addresses */
function placed(
  owner: Resource,
  edgeId: string,
  things: readonly ServiceThing[],
  { addresses }: KeptNames,
): HueProperty[] {
  const described = things.filter(({ properties }) => properties.length > 0);
  return addresses
    .place(`${edgeId} ${owner.id}`, described)
    .flatMap(({ thing, addresses: given }) =>
      thing.described.map((each, at) => ({ ...each, address: given[at] ?? each.address })),
    );
}

function leftAsideOf(service: Resource, found: readonly HueProperty[]): readonly string[] {
  if (service.type === "light") return lampLeftAside(service);
  return found.length === 0 && !SILENT.has(service.type) ? [service.type] : [];
}

/** The number printed on a button, when the device has several. */
function buttonNumber(service: Resource, all: readonly Resource[]): number | undefined {
  const control = numberAt(service, "metadata.control_id");
  const isOne = service.type !== "button" || all.filter(({ type }) => type === "button").length < 2;
  return isOne || control === undefined || !Number.isInteger(control) || control < 0 || control > HIGHEST_NUMBER
    ? undefined
    : control;
}

function aboutDevice(device: Resource): DeviceAbout {
  const product = (member: string) => textAt(device, `product_data.${member}`);
  const model = [product("product_name"), product("model_id")].filter((each) => each !== undefined).join(" ");
  return {
    ...{ manufacturer: product("manufacturer_name"), model: model || undefined },
    ...{ firmware: product("software_version"), name: nameOf(device) },
  };
}

function nameOf(of: Resource): string | undefined {
  return textAt(of, "metadata.name");
}

function referenceTo({ id, type }: Resource): Reference {
  return { rid: id, rtype: type };
}

/** Events of buttons. `repeat` is left out: the bridge sends it while a button is held, and a held button is reported once. */
const EVENTS: Readonly<Record<string, string>> = {
  initial_press: "press",
  short_release: "release",
  long_release: "release",
  long_press: "long",
  double_short_release: "double",
};

function buttonProperties(of: Reference): HueProperty[] {
  return ofClass(of, "Button", "event", { read: buttonEventOf });
}

/** Steps by which a dial was turned; positive is clockwise. */
function dialProperties(of: Reference): HueProperty[] {
  const description: PropertyDescription = { property: "steps", type: "integer", access: ["notify"] };
  return [{ address: { service: "Dial", index: "0", property: "steps" }, description, of, read: stepsOf }];
}

function buttonEventOf(update: Resource): Value | undefined {
  const word = textAt(update, "button.button_report.event") ?? textAt(update, "button.last_event");
  return word !== undefined && Object.hasOwn(EVENTS, word) ? EVENTS[word] : undefined;
}

function stepsOf(update: Resource): Value | undefined {
  const report = textAt(update, "relative_rotary.rotary_report.action") ? "rotary_report" : "last_event";
  const steps = numberAt(update, `relative_rotary.${report}.rotation.steps`);
  const direction = textAt(update, `relative_rotary.${report}.rotation.direction`);
  if (steps === undefined || direction === undefined) return undefined;
  return Math.round(direction === "counter_clock_wise" ? -steps : steps);
}
