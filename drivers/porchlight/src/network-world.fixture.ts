/** The world of the driver of the home network for the judge: nodes that answer multicast DNS, each at a place of its own. */
import type { CrowdDevice, DriverWorld, Stage } from "@porchlight/driver-kit/judge/world.suite.ts";
import type { NetworkEndpoint } from "@porchlight/driver-kit/links";
import { type MdnsListener, type MdnsRecord, NetworkBrowser } from "@porchlight/driver-kit/network";
import { endpointKey } from "./endpoints.ts";
import { INTERFACE, recordsOf, SERVICE } from "./home-network.fixture.ts";
import { SWITCH } from "./hub-and-node.fixture.ts";
import { LanDriver } from "./lan-driver.ts";
import { handsOfNode, LinePlace } from "./line-world.fixture.ts";
import { edgeIdAt, ReportingNode } from "./reporting-node.fixture.ts";
import { HUB, LAMP } from "./scripted-node.fixture.ts";

interface Placed extends LinePlace {
  readonly id: string;
}

/** How long a node takes to answer a question, ms. */
const ANSWER_MS = 20;
/** Names under which what was heard and left aside is counted. */
const NETWORK_ASIDE: readonly string[] = [
  ...["badTxt", "otherVersion", "badId", "otherSecurity", "badName", "badRecord"],
  ...["tooMany", "tooManyAddresses", "tooManyNodes", "badPackets", "foreignPackets", "floods"],
  ...["notAnAddress", "loopback", "multicast", "broadcast", "offLink", "ownService"],
];
/** The lamp's, 16 bytes, none of which stands for a letter. */
const KEY = Buffer.from("d9f3a4c2e8b7961f8ed0c5a39bf4e681", "hex");

class MemoryNetwork {
  readonly #stage: Stage;
  /** By `ADDRESS:PORT`. */
  readonly #places = new Map<string, Placed>();
  #listener: MdnsListener | undefined;
  #isThere = true;

  constructor(stage: Stage) {
    this.#stage = stage;
  }

  /** @param at `ADDRESS:PORT` */
  add(id: string, address: string, far: ReportingNode): void {
    this.#places.set(`${address}:4000`, Object.assign(new LinePlace(far), { id }));
  }

  get all(): readonly Placed[] {
    return [...this.#places.values()];
  }

  get listeners(): number {
    return this.#listener ? 1 : 0;
  }

  readonly openMdns = async (_on: unknown, listener: MdnsListener) => {
    this.#listener = listener;
    return {
      ask: () => this.#stage.fakeClock.timer("nodes answer", ANSWER_MS, () => this.#announce()),
      [Symbol.dispose]: () => {
        if (this.#listener === listener) this.#listener = undefined;
      },
    };
  };

  readonly openNode = async (endpoint: NetworkEndpoint) => {
    const place = this.#places.get(endpointKey(endpoint));
    if (!place) throw new Error("connect ECONNREFUSED");
    return place.connect();
  };

  say(records: readonly MdnsRecord[]): void {
    this.#listener?.answer(records);
  }

  set isThere(isThere: boolean) {
    this.#isThere = isThere;
    for (const place of this.all) {
      place.isThere = isThere;
      if (!isThere) place.cut();
    }
  }

  #announce(): void {
    if (!this.#isThere) return;
    for (const [at, { id }] of this.#places) {
      const [address = ""] = at.split(":");
      this.say(recordsOf({ id, address }));
    }
  }
}

/** 1000 answers that say nothing good. */
function announceGarbage(network: MemoryNetwork): number {
  const many = 1000;
  for (let at = 0; at < many; at++) {
    const name = `\u0007${at}.${SERVICE}`;
    network.say([{ name: SERVICE, type: "PTR", ttl: 120, flush: false, data: at % 2 === 0 ? name : at }]);
  }
  return many;
}

export function networkWorld(stage: Stage): DriverWorld {
  const { clock, random, log, fakeClock } = stage;
  const network = new MemoryNetwork(stage);
  const far = new ReportingNode(fakeClock);
  network.add(LAMP, "10.0.0.7", far);
  const { openMdns, openNode } = network;
  const hands = handsOfNode(far);
  return {
    ...hands,
    make: (host) =>
      LanDriver.start({
        ...{ on: "10.0.0.1", admit: "all", keys: new Map([[LAMP, KEY]]), hubEdgeId: HUB },
        ...{ clock, random, log, host, openNode },
        network: new NetworkBrowser({ clock, random, log, findInterface: () => INTERFACE, open: openMdns }),
      }),
    leftAside: [...hands.leftAside, ...NETWORK_ASIDE],
    cut: () => {
      network.isThere = false;
    },
    mend: () => {
      network.isThere = true;
    },
    tries: () => network.all.reduce((all, { tries }) => all + tries, 0),
    held: () => network.all.reduce((all, { held }) => all + held, network.listeners),
    crowd: (count) => Array.from({ length: count }, (_, at) => added(network, at, fakeClock)),
    floods: { ...hands.floods, garbage: () => far.floodGarbage() + announceGarbage(network) },
    secrets: spellings(KEY),
  };
}

/** Another node with one device. */
function added(network: MemoryNetwork, at: number, clock: Stage["fakeClock"]): CrowdDevice {
  const edgeId = edgeIdAt(at);
  const far = new ReportingNode(clock, { id: edgeId, devices: [edgeId] });
  network.add(edgeId, `10.0.1.${at + 1}`, far);
  const silence = () => {
    far.isSilent = true;
  };
  return { edgeId, property: SWITCH, silence };
}

/** Bytes in the forms in which a program may print them. */
function spellings(key: Buffer): string[] {
  const hex = key.toString("hex");
  const spaced = (hex.match(/../g) ?? []).join(" ");
  return [hex, hex.toUpperCase(), spaced, key.toString("base64"), key.join(","), [...key].join(", ")];
}
