/**
 * Matter by matter.js. Only this folder uses the library, whose interface changes with each version. This file starts a controller node
 * and pairs devices.
 */
import "./quiet-library.ts";
import { Environment, LogFormat, Logger, LogLevel, Minutes, ServerNode, StorageService } from "@matter/main";
import { ChangeNotificationService, type ClientNode, CommissioningClient, ControllerBehavior } from "@matter/main/node";
import { type Fabric, FabricAuthority, PeerAddress, PeerSet } from "@matter/main/protocol";
import { isValidPasscode, ManualPairingCodeCodec, NodeId, QrPairingCodeCodec, VendorId } from "@matter/main/types";
import type { DriverStore, Log } from "@porchlight/driver-kit/package-api";
import { type Clock, deadline } from "@porchlight/shared/kernel";
import { KeptContexts } from "../kept-contexts.ts";
import {
  type MatterNetwork,
  type MatterNode,
  NodeUnreachable,
  NoPairingCode,
  type PairingCode,
  PairingFailed,
  type PairingRequest,
} from "../matter-network.ts";
import { KeptStorage, libraryCodec } from "./kept-storage.ts";
import { setLibraryTime } from "./library-time.ts";
import { PairedNode } from "./paired-node.ts";
import { hearAnnouncements, setPatience } from "./questioned-peer.ts";

export interface MatterJsDeps {
  readonly store: DriverStore;
  readonly log: Log;
  readonly clock: Clock;
  /** Name of the fabric on the devices; people see it in other apps. */
  readonly label: string;
}

/** Timeout of the search for a device in pairing mode. */
const SEARCH = Minutes.one;
/** Timeout of a newly paired device's first report, ms. */
const CONNECT_MS = 30_000;

/** The library's findings for a self-made device. */
const TEST_PROOFS: ReadonlySet<string> = new Set(["CertificationTypeTest", "TrustedAsTestCertificate"]);

/** @throws what the store throws, and the library when it cannot start */
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
    // Nothing pairs with the controller, so this information is internal. The vendor is the one for tests, because the project has none.
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
    // The fabric must be on disk before any device learns of it.
    await kept.idle();
    // The listeners must exist before the nodes are connected.
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
        // A pairing that a person has cancelled may complete anyway, and is then undone.
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

  /** Adds a peer of the library as a node once it is paired. */
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

/** Whether the attestation proves a forgery; test certificates belong to self-made devices and do not count. */
function isForged({ level, type }: { readonly level: string; readonly type: string }): boolean {
  return level === "error" && type !== "TrustedAsTestCertificate";
}

/** Runs in the next microtask, because the library announces a peer before it is complete. */
function once(look: () => void): void {
  queueMicrotask(look);
}

function missing(): never {
  throw new NodeUnreachable("The device has gone.");
}

function hexId(id: bigint): string {
  return id.toString(16).toUpperCase().padStart(16, "0");
}

/** Logs the library's warnings only, because it reports much that goes well. */
function logTo(log: Log): void {
  Logger.level = LogLevel.WARN;
  Logger.format = LogFormat.PLAIN;
  const { default: destination } = Logger.destinations;
  if (destination)
    destination.write = (text) => log.warn({ matter: text.slice(0, 500) }, "the Matter library has a warning");
}

/** By the names of the library's errors, the most specific first. */
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

/** Names of an error, its causes, and its aggregated errors. */
function namesOf(failure: unknown, depth = 4): string[] {
  if (!(failure instanceof Error) || depth === 0) return [];
  const gathered = failure instanceof AggregateError ? failure.errors : [];
  return [failure.constructor.name, ...[failure.cause, ...gathered].flatMap((each) => namesOf(each, depth - 1))];
}

/** Base 38 encodes three bytes in five characters and two in four; a QR code has at least eleven bytes. */
const GROUP = 5;
const LEAST_CHARACTERS = 19;

/** Decodes a pairing code: 11 or 21 digits, or the text of a QR code. @throws NoPairingCode with the reason, for people */
export function readPairingCode(text: string): PairingCode {
  const trimmed = text.trim();
  const code = /^MT:/i.test(trimmed) ? fromQr(trimmed.slice(3).toUpperCase()) : fromDigits(trimmed);
  if (!isValidPasscode(code.passcode))
    throw new NoPairingCode("This is not the code of a device: a digit may be wrong.");
  return code;
}

function fromDigits(text: string): PairingCode {
  const digits = text.replace(/[\s.-]/g, "");
  if (!/^(?:\d{11}|\d{21})$/.test(digits))
    throw new NoPairingCode("A pairing code has 11 digits (or 21), or is the text of a QR code that begins with MT:.");
  const first = Number(digits[0]);
  if (first > 7) throw new NoPairingCode("The first digit is wrong, or the code is of a later version of Matter.");
  const wrong = "A digit of the pairing code is wrong.";
  // The first digit states whether the code has 21 digits; the library does not compare it with the length.
  if (first >= 4 !== (digits.length === 21)) throw new NoPairingCode(wrong);
  const { passcode, shortDiscriminator = 0 } = decoded(() => ManualPairingCodeCodec.decode(digits, false), wrong);
  return { passcode, discriminator: { short: shortDiscriminator } };
}

function fromQr(text: string): PairingCode {
  const [payload = ""] = text.split("*");
  const incomplete = "The text of the QR code is not complete.";
  if (payload.length < LEAST_CHARACTERS) throw new NoPairingCode(incomplete);
  // The library (0.17.9) rejects a text of whole groups. The added byte is not part of the code.
  const whole = payload.length % GROUP === 0 ? `${payload}00` : payload;
  const [code] = decoded(() => QrPairingCodeCodec.decode(`MT:${whole}`, false), incomplete);
  if (code === undefined || code.version !== 0) throw new NoPairingCode("The QR code is of a later version of Matter.");
  return { discriminator: { long: code.discriminator }, passcode: code.passcode };
}

/** @throws NoPairingCode with that message when the library rejects the text */
function decoded<T>(decode: () => T, message: string): T {
  try {
    return decode();
  } catch (cause) {
    throw new NoPairingCode(message, { cause });
  }
}
