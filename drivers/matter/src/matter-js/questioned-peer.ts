/** A paired node as {@link Liveness} sees it, by what the library has below its interface for applications. */
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
 * How soon nodes are asked again that are away. The library's own times suit a controller of thousands of nodes: up to two minutes between
 * two questions, and an hour after a subscription that failed again and again.
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

/** Calls `heard` whenever the address of a node is announced. */
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
    // The library keeps a subscription whose session is void, until its longest silence is over.
    if (interaction instanceof ClientNodeInteraction) interaction.subscriptions.closeForPeer(address);
  }

  hurry(): void {
    this.#peer?.kick();
  }

  /** Settles when there is a session. @throws what the library throws */
  async connect(abort: AbortSignal): Promise<void> {
    await this.#peer?.connect({ abort });
  }

  get #peer(): Peer | undefined {
    const address = this.#node.peerAddress;
    return address === undefined ? undefined : this.#node.env.get(PeerSet).get(address);
  }
}

// Whether a silent node is still there. A file of its own because the library notices only when the longest silence of a subscription is
// over, 100 s: a node that was restarted does not know its session any more, and leaves unanswered all that is sent in it.
//
// Invariants: one question at a time; a node that has not answered it is connected anew at once; one that sleeps is not woken for nothing.

/** What the library does with a node. */
export interface Questioned {
  /** Whether it has a session with the hub. */
  readonly hasSession: boolean;
  /** How long it may be between two times at which the node listens, ms. */
  readonly idleMs: number;
  /** Whether it answers an empty question, in the session that it has. False when the signal is aborted. */
  answers(signal: AbortSignal): Promise<boolean>;
  /** Its session and its subscription are void: it is connected anew. */
  reconnect(): Promise<void>;
  /** It is being connected: it is asked now, and not only when it is its turn. */
  hurry(): void;
}

/** A node that is awake answers within this time, or is taken for gone, ms: three sendings by the protocol's own timing. */
const ANSWER_MS = 4000;
/** How many times the node must have listened by then. */
const LISTENINGS = 8;
/** A node that listens less often sleeps: its address is announced by others, and it is not asked because of that. */
const SLEEPY_MS = 2000;
/** So often at most an announcement is followed: other apps have addresses announced all the time. */
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

  /** Asks it now. Settles with whether it is there; when not, it is being connected anew. Never rejects. */
  check(): Promise<boolean> {
    this.#asking ??= this.#check().finally(() => {
      this.#asking = undefined;
    });
    return this.#asking;
  }

  /** Its address was announced: it may have started. */
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
      // It is being closed, or removed: then there is nothing to connect.
    } finally {
      patience.end();
    }
    return false;
  }
}
