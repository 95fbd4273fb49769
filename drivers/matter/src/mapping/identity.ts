/** Identity and information of a device, from its basic information and its network interfaces. Pure. */
import { derivedEdgeId, edgeIdOfEui } from "@porchlight/driver-kit";
import type { DeviceAbout } from "@porchlight/shared/model";
import type { MatterEndpoint } from "../matter-network.ts";
import type { IndexedEndpoint } from "./describe.ts";
import { member } from "./matter-property.ts";

/** Network interfaces whose address belongs to the device; that of Thread may change with the network. */
const OWN_ADDRESS: ReadonlySet<unknown> = new Set([1, 2]);
/** Vendor IDs for tests, which self-made devices use, several on one computer. */
const TEST_VENDORS = { first: 0xfff1, last: 0xfff4 };
const LOCALLY_ADMINISTERED = 2;
const LONGEST_TEXT = 256;

export interface IdentityScope {
  /** The hub's fabric. */
  readonly fabricId: string;
  readonly nodeId: string;
  /** Whether the node has other devices behind it. */
  readonly isBridge: boolean;
  /** Endpoint 0 of the node. */
  readonly node: MatterEndpoint;
}

/** IDs under which the hub stores a part. */
export interface PartIdentity {
  /** By endpoint and name; unique to the part. */
  readonly own: string;
  /** By the name from the bridge, at any endpoint; undefined without a name. A bridge can give an endpoint to another device. */
  readonly name?: string | undefined;
  /** By endpoint alone, from before the part had a name; undefined for a part without a name. */
  readonly unnamed?: string | undefined;
}

export function identityOf(scope: IdentityScope, part: NodePart): PartIdentity {
  const { nodeId } = scope;
  if (!part.isBridged) return { own: nodeId };
  const [place, name] = [`${nodeId}/${part.root.number}`, derivedOf(scope, part)];
  return name === undefined ? { own: place } : { own: `${place} ${name}`, name: `${nodeId} ${name}`, unnamed: place };
}

/**
 * EdgeId of a part: its own address; else derived from the manufacturer's ID, which is the same in every fabric; else derived from this
 * fabric.
 */
export function edgeIdOf(scope: IdentityScope, part: NodePart): string {
  return (
    (part.isBridged || scope.isBridge ? undefined : ownAddress(scope.node)) ??
    derivedOf(scope, part) ??
    fabricEdgeId(scope, part)
  );
}

/** EdgeId derived from this fabric, for the second of two devices with the same data. */
export function fabricEdgeId(scope: IdentityScope, part: NodePart): string {
  return derivedEdgeId("matter", scope.fabricId, identityOf(scope, part).own);
}

function ownAddress(node: MatterEndpoint): string | undefined {
  const vendor = Number(node.attribute("basicInformation", "vendorId"));
  if (vendor >= TEST_VENDORS.first && vendor <= TEST_VENDORS.last) return undefined;
  const interfaces = node.attribute("generalDiagnostics", "networkInterfaces");
  if (!Array.isArray(interfaces)) return undefined;
  for (const each of interfaces) {
    const address: unknown = member(each, "hardwareAddress");
    if (!OWN_ADDRESS.has(member(each, "type")) || !(address instanceof Uint8Array) || address.byteLength !== 6)
      continue;
    const isOwn = ((address[0] ?? 0) & LOCALLY_ADMINISTERED) === 0 && address.some((byte) => byte !== 0);
    if (isOwn) return edgeIdOfEui(Buffer.from(address).toString("hex"));
  }
  return undefined;
}

function derivedOf(scope: IdentityScope, { root, isBridged }: NodePart): string | undefined {
  const node = namesOf(scope.node, "basicInformation");
  if (!isBridged) return node && derivedEdgeId("matter", node.scope, node.id);
  const own = namesOf(root, BRIDGED_INFORMATION);
  const bridge = node ? `${node.scope}/${node.id}` : `${scope.fabricId}/${scope.nodeId}`;
  return own && derivedEdgeId("matter", bridge, own.id);
}

/** The manufacturer's ID: a `uniqueId` identifies one device, a serial number one device of a product. */
function namesOf(endpoint: MatterEndpoint, cluster: string): { scope: string; id: string } | undefined {
  const stated = (name: string) => {
    const value = endpoint.attribute(cluster, name);
    return value === undefined || value === null || value === "" ? undefined : String(value);
  };
  const id = stated("uniqueId") ?? stated("serialNumber");
  return id === undefined ? undefined : { scope: `${stated("vendorId") ?? ""}/${stated("productId") ?? ""}`, id };
}

export function aboutOf({ root, isBridged }: NodePart): DeviceAbout {
  const cluster = isBridged ? BRIDGED_INFORMATION : "basicInformation";
  const stated = (...names: readonly string[]) => {
    for (const name of names) {
      const value = root.attribute(cluster, name);
      // Some devices have labels of nothing but zero bytes.
      const text = typeof value === "string" ? value.replaceAll(/\p{Cc}+/gu, " ").trim() : "";
      if (text !== "") return text.slice(0, LONGEST_TEXT);
    }
    return undefined;
  };
  return {
    manufacturer: stated("vendorName"),
    model: stated("productName", "productLabel"),
    firmware: stated("softwareVersionString"),
    serial: stated("serialNumber"),
    name: stated("nodeLabel", "productLabel", "productName"),
  };
}

/**
 * Splits a node into devices: the node itself, and each device behind it when it is a bridge. Pure.
 *
 * A bridge lists these devices as endpoints with information of their own; endpoints below such an endpoint belong to the same device.
 */
export const BRIDGED_INFORMATION = "bridgedDeviceBasicInformation";
const AGGREGATOR = 0x000e;
const ROOT = 0;
/** An index has at most three digits. */
const HIGHEST_INDEX = 999;

export interface NodePart {
  /** The endpoint with the device's information: 0 for the node itself. */
  readonly root: MatterEndpoint;
  readonly isBridged: boolean;
  readonly endpoints: readonly IndexedEndpoint[];
}

export function partsOf(endpoints: ReadonlyMap<number, MatterEndpoint>): readonly NodePart[] {
  const sorted = [...endpoints.values()].sort((a, b) => a.number - b.number);
  const root = endpoints.get(ROOT);
  if (!root) return [];
  const bridged = sorted.filter(({ clusters }) => clusters.has(BRIDGED_INFORMATION));
  const owners = new Map<number, number>();
  for (const owner of bridged) {
    owners.set(owner.number, owner.number);
    for (const part of below(owner, endpoints)) if (!owners.has(part)) owners.set(part, owner.number);
  }
  const own = sorted.filter(({ number }) => !owners.has(number) && number <= HIGHEST_INDEX);
  const node: NodePart = {
    root,
    isBridged: false,
    endpoints: own.map((endpoint) => ({ endpoint, index: String(endpoint.number) })),
  };
  return [node, ...bridged.map((each) => bridgedPart(each, sorted, owners))];
}

/**
 * The bridge assigns endpoint numbers, which may be large. Therefore the device's own endpoint gets index 0, and those below it follow.
 */
function bridgedPart(
  root: MatterEndpoint,
  sorted: readonly MatterEndpoint[],
  owners: ReadonlyMap<number, number>,
): NodePart {
  const rest = sorted.filter((each) => each !== root && owners.get(each.number) === root.number);
  const endpoints = [root, ...rest].map((endpoint, at) => ({ endpoint, index: String(at) }));
  return { root, isBridged: true, endpoints };
}

/** Endpoints at any depth below one, without those of other bridged devices. */
function below(owner: MatterEndpoint, endpoints: ReadonlyMap<number, MatterEndpoint>): number[] {
  const found = new Set<number>();
  const look = (parts: readonly number[]) => {
    for (const number of parts) {
      const part = endpoints.get(number);
      if (!part || found.has(number) || part.clusters.has(BRIDGED_INFORMATION)) continue;
      found.add(number);
      look(part.parts);
    }
  };
  look(owner.parts);
  return [...found];
}

/** Whether the node represents devices other than itself. */
export function isBridge(endpoints: ReadonlyMap<number, MatterEndpoint>): boolean {
  return [...endpoints.values()].some(({ deviceTypes }) => deviceTypes.includes(AGGREGATOR));
}
