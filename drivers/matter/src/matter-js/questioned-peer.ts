/** A paired node for {@link Liveness}, using the library's internals below its application interface. */
import { Minutes, Seconds } from "@matter/main";
import { type ClientNode, ClientNodeInteraction } from "@matter/main/node";
import {
  type Peer,
  type PeerAddress,
  PeerSet,
  PeerUnresponsiveError,
  SessionManager,
  SustainedSubscription,
} from "@matter/main/protocol";
import { type Clock, deadline, TokenBucket } from "@porchlight/shared/kernel";

/**
 * Shortens the delays before nodes that are away are contacted again. The library's own suit a controller of thousands of nodes: up to
 * two minutes between attempts, and an hour after a subscription that failed repeatedly.
 */
export function setPatience(peers: PeerSet): void {
  peers.timing = {
    maxDelayBetweenInitialContactRetries: Seconds(20),
    delayBeforeNextAddress: Seconds(10),
    delayAfterPeerError: Seconds(30),
    delayAfterUnhandledError: Seconds(30),
    kickThrottleInterval: Seconds(1),
    kickMinRestartSaving: Seconds(1),
    kickRestartCooldown: { connect: Seconds(10), addressChange: Seconds(10) },
  };
  Object.assign(SustainedSubscription.DefaultRetrySchedule, {
    initialInterval: Seconds(2),
    maximumInterval: Minutes(1),
  });
}

/** Calls `heard` when the address of a node is announced. */
export function hearAnnouncements(peers: PeerSet, heard: (address: PeerAddress) => void): void {
  const hear = ({ service, address }: Peer): void => {
    service.name.on(({ updated }) => {
      if (updated) heard(address);
    });
  };
  peers.added.on(hear);
  for (const peer of peers) hear(peer);
}

export class QuestionedPeer implements Questioned {
  readonly #node: ClientNode;

  constructor(node: ClientNode) {
    this.#node = node;
  }

  get hasSession(): boolean {
    return this.#peer?.hasSession ?? false;
  }

  get idleMs(): number {
    return this.#peer?.sessionParameters.idleInterval ?? 0;
  }

  async answers(abort: AbortSignal): Promise<boolean> {
    const { interaction } = this.#node;
    return interaction instanceof ClientNodeInteraction && (await interaction.probe({ abort, suppressPeerLoss: true }));
  }

  async reconnect(): Promise<void> {
    const { env, interaction } = this.#node;
    const address = this.#peer?.address;
    if (address === undefined) return;
    await env.get(SessionManager).handlePeerLoss(address, { cause: new PeerUnresponsiveError() });
    // The library keeps a subscription with an invalid session until its maximum silence is over.
    if (interaction instanceof ClientNodeInteraction) interaction.subscriptions.closeForPeer(address);
  }

  hurry(): void {
    this.#peer?.kick();
  }

  /** Resolves when there is a session. @throws what the library throws */
  async connect(abort: AbortSignal): Promise<void> {
    await this.#peer?.connect({ abort });
  }

  get #peer(): Peer | undefined {
    const address = this.#node.peerAddress;
    return address === undefined ? undefined : this.#node.env.get(PeerSet).get(address);
  }
}

/** The library's operations on a node. */
export interface Questioned {
  /** Whether the node has a session with the hub. */
  readonly hasSession: boolean;
  /** Longest interval between two times when the node listens, ms. */
  readonly idleMs: number;
  /** Whether the node answers an empty request in its current session. False when the signal is aborted. */
  answers(signal: AbortSignal): Promise<boolean>;
  /** Discards session and subscription, which are invalid, and connects again. */
  reconnect(): Promise<void>;
  /** Contacts the node at once while it is being connected, instead of after the current delay. */
  hurry(): void;
}

/** Timeout of an awake node, ms: three transmissions by the protocol's own timing. A node that exceeds it is considered gone. */
const ANSWER_MS = 4000;
/** Minimum number of times that the node must have listened within the timeout. */
const LISTENINGS = 8;
/**
 * Interval beyond which a listening node counts as sleeping, ms: other devices announce its address, so an announcement does not trigger
 * a check.
 */
const SLEEPY_MS = 2000;
/** Rate limit of announcements that trigger a check, because other apps cause announcements all the time. */
const FOLLOWED = { perSecond: 1 / 15, burst: 3 };

export class Liveness {
  readonly #clock: Clock;
  readonly #node: Questioned;
  readonly #followed: TokenBucket;
  #asking: Promise<boolean> | undefined;

  constructor(clock: Clock, node: Questioned) {
    this.#clock = clock;
    this.#node = node;
    this.#followed = new TokenBucket(FOLLOWED, clock.monotonic());
  }

  /** Checks the node now. Resolves to whether it is there; if not, it is being connected again. Never rejects. */
  check(): Promise<boolean> {
    this.#asking ??= this.#check().finally(() => {
      this.#asking = undefined;
    });
    return this.#asking;
  }

  /** The node's address was announced, so it may have started. */
  announced(): void {
    const { idleMs, hasSession } = this.#node;
    if (this.#asking || (hasSession && idleMs > SLEEPY_MS)) return;
    if (!this.#followed.take(this.#clock.monotonic())) return;
    if (hasSession) void this.check();
    else this.#node.hurry();
  }

  async #check(): Promise<boolean> {
    const { idleMs, hasSession } = this.#node;
    const patience = deadline(this.#clock, "answer of a Matter node", Math.max(ANSWER_MS, LISTENINGS * idleMs), {});
    try {
      if (hasSession && (await this.#node.answers(patience.signal))) return true;
      await this.#node.reconnect();
    } catch {
      // The node is being closed or removed, so there is nothing to connect.
    } finally {
      patience.end();
    }
    return false;
  }
}
