/** The hub's ear on multicast DNS (RFC 6762), on one interface: datagrams in and out as parsed packets. Knows no service. */
import { createSocket } from "node:dgram";
import type { NetworkInterfaceInfo } from "node:os";
import dns from "dns-packet";
import { isOnNetwork, type Link, type Place, placeOnLink } from "./node-address.ts";

/** A record of an answer, as the wire has it: nothing of it is known to make sense. */
export interface MdnsRecord {
  readonly name: string;
  readonly type: string;
  /** Seconds; 0 takes the record back. */
  readonly ttl: number;
  /** It replaces what was known under its name and type. */
  readonly flush: boolean;
  readonly data: unknown;
}

export interface MdnsListener {
  /** An answer, or an announcement, from the interface's own network. */
  answer(records: readonly MdnsRecord[]): void;
  /** A datagram that is none of that, by name: `badPackets`, `foreignPackets`. */
  ignored(what: "badPackets" | "foreignPackets"): void;
  /** The socket is of no use any more. */
  failed(reason: string): void;
}

export interface MdnsSocket extends Disposable {
  ask(questions: readonly MdnsQuestion[]): void;
}

const GROUP = "224.0.0.251";
const PORT = 5353;
const HOPS = 255;

/**
 * Joins the group on an interface.
 * @throws Error (SystemError) when that cannot be done
 */
export async function openMdnsSocket(on: HomeInterface, listener: MdnsListener): Promise<MdnsSocket> {
  const socket = createSocket({ type: "udp4", reuseAddr: true });
  try {
    await new Promise<void>((resolve, reject) => {
      socket.once("error", reject);
      // Not bound to the interface's address: the kernel would keep from it what is sent to the group.
      socket.bind(PORT, () => {
        socket.removeListener("error", reject);
        resolve();
      });
    });
    socket.addMembership(GROUP, on.address);
    socket.setMulticastInterface(on.address);
    socket.setMulticastTTL(HOPS);
  } catch (failure) {
    socket.close();
    throw failure;
  }
  let isOpen = true;
  socket.on("error", (failure) => listener.failed(failure.message));
  socket.on("message", (bytes, { address, port }) => {
    // The group is the machine's: other interfaces' packets arrive here too. RFC 6762, section 11.
    const isForeign = port !== PORT || !on.isOnLink(address);
    const records = isForeign ? undefined : answerOf(bytes);
    if (isForeign) listener.ignored("foreignPackets");
    else if (records === "bad") listener.ignored("badPackets");
    else if (records) listener.answer(records);
  });
  return {
    ask: (questions) => {
      const packet = encodeQuestions(questions);
      if (!isOpen || !packet) return;
      socket.send(packet, PORT, GROUP, (failure) => {
        if (failure && isOpen) listener.failed(failure.message);
      });
    },
    [Symbol.dispose]: () => {
      if (!isOpen) return;
      isOpen = false;
      socket.close();
    },
  };
}

/** The records of an answer; undefined of a question, `bad` of what is no packet. */
export function answerOf(bytes: Buffer): readonly MdnsRecord[] | "bad" | undefined {
  try {
    const packet = dns.decode(bytes);
    if (packet.type !== "response") return undefined;
    return [...(packet.answers ?? []), ...(packet.additionals ?? [])].map(recordOf);
  } catch {
    return "bad";
  }
}

function recordOf(record: dns.Answer): MdnsRecord {
  const ttl = "ttl" in record && typeof record.ttl === "number" ? record.ttl : 0;
  const flush = "flush" in record && record.flush === true;
  return { name: record.name, type: record.type, ttl, flush, data: "data" in record ? record.data : undefined };
}

/**
 * Questions of multicast DNS as bytes. Pure, and our own: `dns-packet` divides a name at every dot, and the name of an instance may have
 * dots in it ("Lamp 2.0", RFC 6763, section 4.1.1), so that its question would be about another name.
 */

export interface MdnsQuestion {
  readonly name: string;
  readonly type: keyof typeof TYPES;
}

/** Numbers of record types (RFC 1035, 2782, 3596). */
const TYPES = { A: 1, PTR: 12, TXT: 16, AAAA: 28, SRV: 33 } as const;
const CLASS_IN = 1;
const HEADER_BYTES = 12;
/** Longest label and longest name, bytes. RFC 1035, section 2.3.4. */
const LONGEST_LABEL = 63;
const LONGEST_NAME = 255;
/** An instance's name: everything before the last two labels with an underscore, and those. */
const INSTANCE = /^(.+)\.(_[^.]+)\.(_tcp|_udp)\.([^.]+)$/is;

/** One packet with the questions that can be asked; undefined when none can be. */
export function encodeQuestions(questions: readonly MdnsQuestion[]): Buffer | undefined {
  const parts = questions.flatMap(({ name, type }) => {
    const bytes = encodeName(name);
    return bytes ? [Buffer.concat([bytes, Buffer.from([0, TYPES[type], 0, CLASS_IN])])] : [];
  });
  if (parts.length === 0) return undefined;
  const header = Buffer.alloc(HEADER_BYTES);
  header.writeUInt16BE(parts.length, 4);
  return Buffer.concat([header, ...parts]);
}

/** Undefined when it is no name. */
function encodeName(name: string): Buffer | undefined {
  const labels = labelsOf(name.replace(/\.$/, "")).map((label) => Buffer.from(label));
  if (labels.some(({ length }) => length === 0 || length > LONGEST_LABEL)) return undefined;
  const bytes = Buffer.concat([...labels.flatMap((label) => [Buffer.from([label.length]), label]), Buffer.from([0])]);
  return bytes.length > LONGEST_NAME ? undefined : bytes;
}

function labelsOf(name: string): readonly string[] {
  const [, ...labels] = INSTANCE.exec(name) ?? [];
  // A name of a type itself, with a subtype or without one, begins with an underscore.
  return labels.length > 0 && !name.startsWith("_") ? labels : name.split(".");
}

/** The network interface that a hub looks for devices on: which it is now, and which addresses it has. Pure, but for the list handed in. */
type Interfaces = Readonly<Record<string, NetworkInterfaceInfo[] | undefined>>;

export interface HomeInterface {
  readonly name: string;
  /** Its IPv4 address. */
  readonly address: string;
  /** Whether an address is one of its network, as every sender of multicast on it must be. */
  isOnLink(address: string): boolean;
  /** Whether a node may be there, and how it is reached. */
  place(address: string, port: number): Place;
}

/** @param wanted an IPv4 address of the machine, or an interface's name; undefined when there is no such one at present */
export function findInterface(wanted: string, interfaces: Interfaces): HomeInterface | undefined {
  for (const [name, addresses] of Object.entries(interfaces)) {
    const found = addresses?.find((each) => each.family === "IPv4" && (each.address === wanted || name === wanted));
    if (found) return homeInterface(name, found, addresses ?? []);
  }
  return undefined;
}

function homeInterface(
  name: string,
  { address, internal }: NetworkInterfaceInfo,
  all: readonly NetworkInterfaceInfo[],
): HomeInterface {
  const own = all.flatMap(({ cidr }) => {
    const [net, bits] = cidr?.split("/") ?? [];
    return net && bits ? [{ address: net, bits: Number(bits) }] : [];
  });
  const link: Link = { name, isLoopback: internal, own };
  return {
    name,
    address,
    isOnLink: (other) => isLinkLocal(other) || isOnNetwork(other, link),
    place: (other, port) => placeOnLink(other, port, link),
  };
}

function isLinkLocal(address: string): boolean {
  return /^(169\.254\.|fe80:)/i.test(address);
}
