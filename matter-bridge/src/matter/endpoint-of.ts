/**
 * The endpoints of one device: a device with one part is one endpoint, a device with several is a bridged node with an endpoint for each.
 * Built from data, apart from the node to which they are added.
 */
import { type Behavior, Endpoint, MutableEndpoint, SupportedBehaviors } from "@matter/main";
import { DescriptorServer } from "@matter/main/behaviors/descriptor";
import { GroupsServer } from "@matter/main/behaviors/groups";
import { BridgedNodeEndpoint } from "@matter/main/endpoints/bridged-node";
import type { ShownDevice } from "../families/index.ts";
import { type Attributes, DEVICE_TYPES, type Part, type ShownCluster } from "../parts/part.ts";
import type { Identity } from "../store/identities.ts";
import type { ShownBehaviors } from "./behaviors.ts";

/** An endpoint and its clusters, which are updated when a value changes. */
export interface BuiltEndpoint {
  readonly endpoint: Endpoint;
  /** Index of the device's part; -1 for the root of several parts. */
  readonly part: number;
  readonly clusters: readonly ShownCluster[];
}

export interface BuiltDevice {
  /** The endpoint that is added to the aggregator. */
  readonly root: Endpoint;
  readonly all: readonly BuiltEndpoint[];
}

/** Semantic tags "one", "two" …, by which a controller distinguishes parts of the same type. */
const NUMBER_NAMESPACE = 7;
const IDENTIFY = { none: 0, visible: 2 };
const LONGEST = { text: 32, version: 64 };

export function buildDevice(device: ShownDevice, identity: Identity, behaviors: ShownBehaviors): BuiltDevice {
  const { parts, battery } = device.shownAs;
  const [only] = parts;
  const own = battery ? [battery] : [];
  const information = { bridgedDeviceBasicInformation: informationOf(device, identity) };
  const also = battery ? [typeItem(DEVICE_TYPES.powerSource)] : [];
  if (only && parts.length === 1) {
    const clusters = [...only.clusters, ...own];
    const type = typeOf(only, clusters, behaviors, [behaviors.basicInformation]);
    const types = { descriptor: { deviceTypeList: [typeItem(only.type), ...also] } };
    const state = { ...stateOf(clusters, device), ...identifyState(device), ...information, ...types };
    const root = new Endpoint(type, { id: device.id, number: identity.number, ...state });
    return { root, all: [{ endpoint: root, part: 0, clusters }] };
  }
  const rootType = BridgedNodeEndpoint.with(behaviors.basicInformation, ...own.map((cluster) => behaviors.of(cluster)));
  const children = parts.map((part) => buildPart(part, device, identity, behaviors));
  const types = { descriptor: { deviceTypeList: [typeItem({ code: 0x13, revision: 3 }), ...also] } };
  const root = new Endpoint(rootType, {
    ...{ id: device.id, number: identity.number, parts: children.map(({ endpoint }) => endpoint) },
    ...{ ...stateOf(own, device), ...information, ...types },
  });
  return { root, all: [{ endpoint: root, part: -1, clusters: own }, ...children] };
}

/** Attributes about the device itself, also used for updates. */
export function informationOf(device: ShownDevice, { uniqueId }: Pick<Identity, "uniqueId">): Attributes {
  const { name, isReachable, manufacturer, model, firmware, serial } = device;
  return {
    nodeLabel: cut(name, LONGEST.text),
    reachable: isReachable,
    vendorName: cut(manufacturer || "Porchlight", LONGEST.text),
    productName: cut(model || "Device", LONGEST.text),
    serialNumber: cut(serial, LONGEST.text),
    softwareVersionString: cut(firmware || "0", LONGEST.version),
    uniqueId,
  };
}

function buildPart(part: Part, device: ShownDevice, identity: Identity, behaviors: ShownBehaviors): BuiltEndpoint {
  const alike = device.shownAs.parts.filter(({ type }) => type.code === part.type.code);
  const place = alike.indexOf(part) + 1;
  const tags = [{ mfgCode: null, namespaceId: NUMBER_NAMESPACE, tag: place, label: null }];
  const isTagged = alike.length > 1;
  const type = typeOf(part, part.clusters, behaviors, isTagged ? [DescriptorServer.with("TagList")] : []);
  const number = identity.parts.get(part.key);
  if (number === undefined) throw new Error(`${part.key} has no endpoint number`);
  const endpoint = new Endpoint(type, {
    ...{ id: part.key.replace(":", "-"), number },
    ...{ ...stateOf(part.clusters, device), ...identifyState(device) },
    descriptor: { deviceTypeList: [typeItem(part.type)], ...(isTagged && { tagList: tags }) },
  });
  return { endpoint, part: device.shownAs.parts.indexOf(part), clusters: part.clusters };
}

function typeOf(
  { type, hasGroups }: Part,
  clusters: readonly ShownCluster[],
  behaviors: ShownBehaviors,
  more: readonly Behavior.Type[],
) {
  return MutableEndpoint({
    ...{ name: type.name, deviceType: type.code, deviceRevision: type.revision },
    behaviors: SupportedBehaviors(
      behaviors.identify,
      ...(hasGroups ? [GroupsServer] : []),
      ...clusters.map((cluster) => behaviors.of(cluster)),
      ...more,
    ),
  });
}

function stateOf(clusters: readonly ShownCluster[], { values }: ShownDevice): Readonly<Record<string, Attributes>> {
  return Object.fromEntries(clusters.map(({ cluster, attributes }) => [cluster, attributes(values)]));
}

function identifyState({ shownAs: { identify } }: ShownDevice) {
  return { identify: { identifyType: identify ? IDENTIFY.visible : IDENTIFY.none } };
}

function typeItem({ code, revision }: { readonly code: number; readonly revision: number }) {
  return { deviceType: code, revision };
}

/** Truncates a text to a number of UTF-8 bytes, at the end of a character. */
function cut(text: string, most: number): string {
  let bytes = 0;
  let kept = "";
  for (const character of text) {
    bytes += Buffer.byteLength(character);
    if (bytes > most) break;
    kept += character;
  }
  return kept;
}
