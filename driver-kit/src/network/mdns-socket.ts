/** The hub's ear on multicast DNS (RFC 6762), on one interface: datagrams in and out as parsed packets. Knows no service. */
import { createSocket } from "node:dgram";
import dns from "dns-packet";
import { encodeQuestions, type MdnsQuestion } from "./mdns-question.ts";
import type { HomeInterface } from "./network-interface.ts";

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
