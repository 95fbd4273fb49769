/** The hub's multicast DNS socket (RFC 6762) on one interface: datagrams in and out as parsed packets. Knows no services. */
import { createSocket } from "node:dgram";
import type { NetworkInterfaceInfo } from "node:os";
import dns from "dns-packet";
import { isOnNetwork, type Link, type Place, placeOnLink } from "./node-address.ts";

/** A record of an answer, as received and not validated. */
export interface MdnsRecord {
  readonly name: string;
  readonly type: string;
  /** Seconds; 0 withdraws the record. */
  readonly ttl: number;
  /** The cache-flush bit: the record replaces earlier records of its name and type. */
  readonly flush: boolean;
  readonly data: unknown;
}

export interface MdnsListener {
  /** An answer, or an announcement, from the interface's own network. */
  answer(records: readonly MdnsRecord[]): void;
  /** A datagram that is no valid answer, by reason: `badPackets`, `foreignPackets`. */
  ignored(what: "badPackets" | "foreignPackets"): void;
  /** The socket is no longer usable. */
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
 * @throws Error (SystemError) when it cannot be joined
 */
export async function openMdnsSocket(on: HomeInterface, listener: MdnsListener): Promise<MdnsSocket> {
  const socket = createSocket({ type: "udp4", reuseAddr: true });
  try {
    await new Promise<void>((resolve, reject) => {
      socket.once("error", reject);
      // Not bound to the interface's address: the kernel would not deliver datagrams to the group.
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
    // The group belongs to the machine: other interfaces' packets arrive here too. RFC 6762, section 11.
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

/** The records of an answer; undefined for a question, `bad` for an invalid packet. */
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
 * Encodes questions of multicast DNS. Pure, and our own: `dns-packet` splits a name at every dot, and the name of an instance may contain
 * dots ("Lamp 2.0", RFC 6763, section 4.1.1), so that its question would ask for another name.
 */

export interface MdnsQuestion {
  readonly name: string;
  readonly type: keyof typeof TYPES;
}

/** Numbers of record types (RFC 1035, 2782, 3596). */
const TYPES = { A: 1, PTR: 12, TXT: 16, AAAA: 28, SRV: 33 } as const;
const CLASS_IN = 1;
const HEADER_BYTES = 12;
/** Maximum length of a label and of a name, bytes. RFC 1035, section 2.3.4. */
const LONGEST_LABEL = 63;
const LONGEST_NAME = 255;
/** An instance's full name: everything before the last two labels with an underscore, then those labels and the domain. */
const INSTANCE = /^(.+)\.(_[^.]+)\.(_tcp|_udp)\.([^.]+)$/is;

/** One packet with all questions whose names can be encoded; undefined when there are none. */
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

/** Undefined when the text is no valid name. */
function encodeName(name: string): Buffer | undefined {
  const labels = labelsOf(name.replace(/\.$/, "")).map((label) => Buffer.from(label));
  if (labels.some(({ length }) => length === 0 || length > LONGEST_LABEL)) return undefined;
  const bytes = Buffer.concat([...labels.flatMap((label) => [Buffer.from([label.length]), label]), Buffer.from([0])]);
  return bytes.length > LONGEST_NAME ? undefined : bytes;
}

function labelsOf(name: string): readonly string[] {
  const [, ...labels] = INSTANCE.exec(name) ?? [];
  // The name of a type itself, with or without a subtype, begins with an underscore.
  return labels.length > 0 && !name.startsWith("_") ? labels : name.split(".");
}

/**
 * Finds the network interface on which a hub discovers devices, and its current addresses. Pure: the caller passes the list of
 * interfaces.
 */
type Interfaces = Readonly<Record<string, NetworkInterfaceInfo[] | undefined>>;

export interface HomeInterface {
  readonly name: string;
  /** Its IPv4 address. */
  readonly address: string;
  /** Whether an address is on the interface's network, as that of every multicast sender on it must be. */
  isOnLink(address: string): boolean;
  /** Whether the hub may connect to a node at that address, and how. */
  place(address: string, port: number): Place;
}

/** @param wanted an IPv4 address of the machine, or an interface's name; the result is undefined when no interface has it at present */
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
