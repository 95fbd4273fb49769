/** The devices that a bridge has, made of its resources. Pure. */
import type { DeviceAbout } from "@porchlight/shared/model";
import { derivedEdgeId, edgeIdOfEui } from "../../kit/index.ts";
import { fieldAt, numberAt, type Reference, type Resource, referencesAt, textAt } from "../resources/resource.ts";
import type { ResourceSet } from "../resources/resource-set.ts";
import { buttonProperties, dialProperties } from "./controls.ts";
import type { HueDevice, HueProperty } from "./hue-device.ts";
import { lampLeftAside, lampProperties } from "./lamps.ts";
import { sceneProperties } from "./scenes.ts";
import { sensorReadings } from "./sensors.ts";

type Resources = Pick<ResourceSet, "get" | "ofType">;

/** Most devices of a bridge, rooms and zones among them. */
const MOST = 500;
/** Most properties of one: a description has room for 64 services. */
const MOST_PROPERTIES = 64;
/** Types of services that say nothing that a person would look for. */
const SILENT: ReadonlySet<string> = new Set(["zigbee_connectivity", "entertainment", "device_software_update"]);

/** @param bridgeId of the bridge, which outlives its address */
export function describeDevices(resources: Resources, bridgeId: string): readonly HueDevice[] {
  const devices = resources.ofType("device").filter((each) => !isBridge(each));
  const rooms = [...resources.ofType("room"), ...resources.ofType("zone")];
  return [
    ...devices.map((each) => describeDevice(each, resources, bridgeId)),
    ...rooms.map((each) => describeRoom(each, resources, bridgeId)),
  ]
    .filter(({ properties }) => properties.length > 0)
    .slice(0, MOST);
}

function isBridge(device: Resource): boolean {
  return referencesAt(device, "services").some(({ rtype }) => rtype === "bridge");
}

function describeDevice(device: Resource, resources: Resources, bridgeId: string): HueDevice {
  const services = referencesAt(device, "services").flatMap(({ rid }) => resources.get(rid) ?? []);
  const connectivity = services.find(({ type }) => type === "zigbee_connectivity");
  const own = edgeIdOfEui(textAt(connectivity, "mac_address") ?? "");
  const leftAside: Record<string, number> = {};
  const counts = new Map<string, number>();
  const properties = services.flatMap((service) => {
    const found = propertiesOf(service, indexOf(service, services, counts));
    for (const what of leftAsideOf(service, found)) leftAside[what] = (leftAside[what] ?? 0) + 1;
    return found;
  });
  return {
    edgeId: own ?? derivedEdgeId("hue", bridgeId, device.id),
    identity: own === undefined ? device.id : undefined,
    about: aboutDevice(device),
    properties: properties.slice(0, MOST_PROPERTIES),
    connectivity: connectivity?.id,
    identify: fieldAt(device, "identify") === undefined ? undefined : referenceTo(device),
    leftAside,
  };
}

/** Its lamps together, and its scenes. */
function describeRoom(room: Resource, resources: Resources, bridgeId: string): HueDevice {
  const groups = referencesAt(room, "services").filter(({ rtype }) => rtype === "grouped_light");
  const lights = groups.flatMap(({ rid }) => resources.get(rid) ?? []);
  const scenes = [...resources.ofType("scene"), ...resources.ofType("smart_scene")];
  const properties = [
    ...lights.flatMap((light, at) => lampProperties(light, { of: referenceTo(light), index: String(at) })),
    ...sceneProperties(referenceTo(room), scenes),
  ];
  return {
    edgeId: derivedEdgeId("hue", bridgeId, room.id),
    identity: room.id,
    about: { name: nameOf(room), model: room.type === "zone" ? "Hue zone" : "Hue room" },
    properties,
    leftAside: {},
  };
}

function propertiesOf(service: Resource, index: string): HueProperty[] {
  const place = { of: referenceTo(service), index };
  if (service.type === "light") return lampProperties(service, place);
  if (service.type === "button") return buttonProperties(place);
  if (service.type === "relative_rotary") return dialProperties(place);
  return sensorReadings(service, place);
}

function leftAsideOf(service: Resource, found: readonly HueProperty[]): readonly string[] {
  if (service.type === "light") return lampLeftAside(service);
  return found.length === 0 && !SILENT.has(service.type) ? [service.type] : [];
}

/** Buttons by the number that stands on the device, where it has several; others as they come, from 0. */
function indexOf(service: Resource, all: readonly Resource[], counts: Map<string, number>): string {
  const ofType = all.filter(({ type }) => type === service.type);
  const control = numberAt(service, "metadata.control_id");
  if (service.type === "button" && ofType.length > 1 && control !== undefined) return String(control);
  const count = counts.get(service.type) ?? 0;
  counts.set(service.type, count + 1);
  return String(count);
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
