/**
 * Matter by matter.js. This folder alone knows the library, whose interface changes with each of its versions. This file starts a node that
 * is a controller, and pairs.
 */
import "./quiet-library.ts";
import { Environment, LogFormat, Logger, LogLevel, Minutes, ServerNode, StorageService } from "@matter/main";
import { ChangeNotificationService, type ClientNode, CommissioningClient, ControllerBehavior } from "@matter/main/node";
import { type Fabric, FabricAuthority, PeerAddress, PeerSet } from "@matter/main/protocol";
import { NodeId, VendorId } from "@matter/main/types";
import type { DriverStore, Log } from "@porchlight/driver-kit/package-api";
import { type Clock, deadline } from "@porchlight/shared/kernel";
import {
  type MatterNetwork,
  type MatterNode,
  NodeUnreachable,
  PairingFailed,
  type PairingRequest,
} from "../network/matter-network.ts";
import { KeptContexts } from "../store/kept-contexts.ts";
import { KeptStorage, libraryCodec } from "./kept-storage.ts";
import { setLibraryTime } from "./library-time.ts";
import { PairedNode } from "./paired-node.ts";
import { readPairingCode } from "./pairing-code.ts";
import { hearAnnouncements, setPatience } from "./questioned-peer.ts";

export interface MatterJsDeps {
  readonly store: DriverStore;
  readonly log: Log;
  readonly clock: Clock;
  /** What the fabric is called on the devices: people see it in other apps. */
  readonly label: string;
}

/** How long a device in pairing mode is looked for. */
const SEARCH = Minutes.one;
/** How long one that has been paired may take to tell of itself, ms. */
const CONNECT_MS = 30_000;

/** What the library says of a device that somebody has made by himself. */
const TEST_PROOFS: ReadonlySet<string> = new Set(["CertificationTypeTest", "TrustedAsTestCertificate"]);

/** @throws what the store throws, and the library, when it cannot start */
export async function matterByLibrary({ store, log, label, clock }: MatterJsDeps): Promise<MatterNetwork> {
  logTo(log);
  setLibraryTime(clock);
  const kept = new KeptContexts(store, libraryCodec);
  const storage = await KeptStorage.load(kept);
  const environment = new Environment("porchlight-driver", Environment.default);
  const service = new StorageService(environment);
  service.registerDriver({ id: KeptStorage.id, create: () => storage });
  service.configuredDriver = KeptStorage.id;
  const server = await ServerNode.create(ServerNode.RootEndpoint.with(ControllerBehavior), {
    environment,
    id: "controller",
    network: { port: 0 },
    commissioning: { enabled: false },
    // Nobody pairs with the controller: this is what it calls itself to the library. The vendor is the one for tests, for we have none.
    basicInformation: {
      vendorName: "Porchlight",
      productName: "Porchlight hub",
      vendorId: VendorId(0xfff1),
      productId: 0x8000,
    },
    controller: { adminFabricLabel: label, nodeIdAssignment: "random" },
    subscriptions: { persistenceEnabled: false },
  });
  return await MatterJs.start(server, kept, clock);
}

class MatterJs implements MatterNetwork {
  readonly readPairingCode = readPairingCode;
  readonly #server: ServerNode;
  readonly #kept: KeptContexts;
  readonly #nodes = new Map<ClientNode, PairedNode>();
  readonly #listeners = new Set<() => void>();
  readonly #fabric: Fabric;
  readonly #clock: Clock;

  private constructor(server: ServerNode, kept: KeptContexts, fabric: Fabric, clock: Clock) {
    this.#clock = clock;
    this.#server = server;
    this.#kept = kept;
    this.#fabric = fabric;
    this.#listen();
  }

  static async start(server: ServerNode, kept: KeptContexts, clock: Clock): Promise<MatterJs> {
    const config = await server.act(async (agent) => (await agent.load(ControllerBehavior)).fabricAuthorityConfig);
    const fabric = await server.env.get(FabricAuthority).defaultFabric(config, false);
    // What a device is told of the fabric must be known after a crash.
    await kept.idle();
    // Before the nodes are connected there must be somebody who hears them.
    const network = new MatterJs(server, kept, fabric, clock);
    await server.start();
    return network;
  }

  #listen(): void {
    const server = this.#server;
    const peers = server.env.get(PeerSet);
    setPatience(peers);
    hearAnnouncements(peers, ({ nodeId }) => {
      for (const node of this.#nodes.values()) if (node.nodeId === hexId(nodeId)) node.liveness.announced();
    });
    server.env.get(ChangeNotificationService).change.on((change) => {
      for (const node of this.#nodes.values()) if (node.take(change)) break;
    });
    server.peers.added.on((peer) => once(() => void this.#take(peer)));
    server.peers.deleted.on((peer) => {
      if (this.#nodes.delete(peer)) this.#changed();
    });
    for (const peer of server.peers) this.#take(peer);
  }

  get fabricId(): string {
    return hexId(this.#fabric.fabricId);
  }

  get nodes(): readonly MatterNode[] {
    return [...this.#nodes.values()];
  }

  listen(changed: () => void): () => void {
    this.#listeners.add(changed);
    return () => void this.#listeners.delete(changed);
  }

  async pair({ code, nodeId, signal, progress }: PairingRequest): Promise<MatterNode> {
    const { passcode, discriminator } = code;
    const seen = (peer: ClientNode) =>
      once(() => {
        progress({ step: "found", name: peer.maybeStateOf(CommissioningClient)?.deviceName });
        // What a person has ended may have come too far to be stopped: then it is taken back.
        peer.lifecycle.commissioned.on(() => {
          if (signal.aborted) peer.decommission().catch(() => peer.delete());
        });
      });
    this.#server.peers.added.on(seen);
    const pairing = this.#server.peers.commission({
      passcode,
      fabric: this.#fabric,
      ...("long" in discriminator
        ? { longDiscriminator: discriminator.long, discriminator: discriminator.long }
        : { shortDiscriminator: discriminator.short }),
      nodeId: NodeId(BigInt(`0x${nodeId}`)),
      timeout: SEARCH,
      onAttestationFailure: (findings) => {
        progress({ step: "attested", isTest: findings.some(({ type }) => TEST_PROOFS.has(type)) });
        return !findings.some(isForged);
      },
    });
    const cancel = () => pairing.cancel(signal.reason);
    signal.addEventListener("abort", cancel, { once: true });
    try {
      const peer = await pairing;
      await this.#kept.idle();
      const node = this.#take(peer) ?? missing();
      const time = deadline(this.#clock, "first word of a paired device", CONNECT_MS, { signal });
      await node.connected(time.signal).finally(() => time.end());
      return node;
    } catch (failure) {
      signal.throwIfAborted();
      throw pairingFailure(failure);
    } finally {
      signal.removeEventListener("abort", cancel);
      this.#server.peers.added.off(seen);
    }
  }

  async adopt(nodeId: string, signal: AbortSignal): Promise<MatterNode> {
    const address = PeerAddress({ fabricIndex: this.#fabric.fabricIndex, nodeId: NodeId(BigInt(`0x${nodeId}`)) });
    const peer = await this.#server.peers.forAddress(address);
    try {
      const node = this.#take(peer) ?? missing();
      await peer.set({ network: { autoSubscribe: true } });
      await peer.start();
      await node.connected(signal);
      signal.throwIfAborted();
      await this.#kept.idle();
      return node;
    } catch (failure) {
      await peer.delete();
      throw failure;
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#server.close();
    await this.#kept.idle();
  }

  /** A peer of the library is a node once it is paired. */
  #take(peer: ClientNode): PairedNode | undefined {
    const known = this.#nodes.get(peer);
    if (known) return known;
    const address = peer.peerAddress;
    if (!address) return undefined;
    const node = new PairedNode(peer, hexId(address.nodeId), this.#clock);
    this.#nodes.set(peer, node);
    this.#changed();
    return node;
  }

  #changed(): void {
    for (const changed of [...this.#listeners]) changed();
  }
}

/** What the library says of a device that is not what it says it is; a device with test certificates is one of somebody who makes his own. */
function isForged({ level, type }: { readonly level: string; readonly type: string }): boolean {
  return level === "error" && type !== "TrustedAsTestCertificate";
}

/** A peer is told of before it is whole: it is looked at a moment later. */
function once(look: () => void): void {
  queueMicrotask(look);
}

function missing(): never {
  throw new NodeUnreachable("The device has gone.");
}

function hexId(id: bigint): string {
  return id.toString(16).toUpperCase().padStart(16, "0");
}

/** The library's own log: what it warns of, since it tells much of what goes well. */
function logTo(log: Log): void {
  Logger.level = LogLevel.WARN;
  Logger.format = LogFormat.PLAIN;
  const { default: destination } = Logger.destinations;
  if (destination)
    destination.write = (text) => log.warn({ matter: text.slice(0, 500) }, "the Matter library has a warning");
}

/** By the names of the library's errors, the most telling first. */
const FAILURES: readonly (readonly [RegExp, PairingFailed["why"]])[] = [
  [/FabricTableFull|MaximumCommissionedFabrics/, "full"],
  [/AlreadyCommissioned|FabricConflict/, "already_paired"],
  [/Attestation/, "not_genuine"],
  [/UnexpectedData|ChannelStatusResponse|MaximumPasePairing/, "wrong_code"],
];

function pairingFailure(failure: unknown): PairingFailed {
  const message = failure instanceof Error ? failure.message : String(failure);
  if (message.includes("No commissionable device")) return new PairingFailed("not_found", message);
  const names = namesOf(failure).join(" ");
  const [, why = "no_answer"] = FAILURES.find(([pattern]) => pattern.test(`${names} ${message}`)) ?? [];
  return new PairingFailed(why, `${message} (${names})`);
}

/** Of an error, its causes, and what it gathers. */
function namesOf(failure: unknown, depth = 4): string[] {
  if (!(failure instanceof Error) || depth === 0) return [];
  const gathered = failure instanceof AggregateError ? failure.errors : [];
  return [failure.constructor.name, ...[failure.cause, ...gathered].flatMap((each) => namesOf(each, depth - 1))];
}
