/** One node of the network as the server describes it: its data, whether it is reachable, and when it last sent something. */
import { type Clock, parseTime } from "@porchlight/shared/kernel";
import { describeNode, type NodeAddresses, type ZwaveDescription } from "./classes/describe-node.ts";
import { NODE_STATUS, type NodeState, NodeValues } from "./values/node-state.ts";

/** A sleeping device may miss one wake, and be late by this time, ms. */
const MISSED_WAKES = 2;
const LATE_MS = 600_000;
const WAKE_UP_INTERVAL = { commandClass: 132, endpoint: 0, property: "wakeUpInterval" };

export class ZwaveNode {
  readonly #clock: Clock;
  readonly #addresses: NodeAddresses;
  #state: NodeState;
  #values: NodeValues;
  #description: ZwaveDescription;
  /** On the clock's monotonic time. */
  #heardAt: number;
  /** Its values are known, so that it can be described. */
  #isReady: boolean;

  /** @param leftAside called for each value that is invalid or exceeds the limit */
  constructor(clock: Clock, state: NodeState, addresses: NodeAddresses, leftAside: () => void) {
    this.#clock = clock;
    this.#state = state;
    this.#addresses = addresses;
    this.#values = new NodeValues(state.values, leftAside);
    this.#description = describeNode(state, this.#values, addresses);
    this.#isReady = state.ready;
    this.#heardAt = heardAt(clock, state);
  }

  get id(): number {
    return this.#state.nodeId;
  }

  get state(): NodeState {
    return this.#state;
  }

  get values(): NodeValues {
    return this.#values;
  }

  get description(): ZwaveDescription {
    return this.#description;
  }

  /** The interview is complete. */
  get isReady(): boolean {
    return this.#isReady;
  }

  set isReady(isReady: boolean) {
    this.#isReady = isReady;
  }

  get status(): number {
    return this.#state.status;
  }

  set status(status: number) {
    this.#state = { ...this.#state, status };
  }

  get isDead(): boolean {
    return this.#state.status === NODE_STATUS.dead;
  }

  /** Cannot be asked now, but still counts as present. */
  get isAsleep(): boolean {
    return this.#state.status === NODE_STATUS.asleep;
  }

  /** Whether the node is reachable, now or when it wakes. */
  get isThere(): boolean {
    if (!this.#isReady) return false;
    const { status } = this.#state;
    if (status === NODE_STATUS.asleep) return !this.hasMissedWakes;
    return status === NODE_STATUS.awake || status === NODE_STATUS.alive;
  }

  /** A lock that was included without encryption: anyone nearby can command it. Undefined: unknown. */
  get isInsecureLock(): boolean {
    const { highestSecurityClass: highest, isSecure } = this.#state;
    return this.#description.isLock && (highest === -1 || (highest === undefined && isSecure === false));
  }

  /** When the server last received something from the node, as of the last state that it sent; rounded up to the second, wall-clock ms. */
  get lastSeenAt(): number | undefined {
    const { lastSeen } = this.#state;
    const second = lastSeen === undefined ? undefined : parseTime(lastSeen);
    return second === undefined ? undefined : second + 1000;
  }

  /** The node has sent something. */
  heard(): void {
    this.#heardAt = this.#clock.monotonic();
  }

  /** The server has described the node again. */
  replace(state: NodeState, leftAside: () => void): void {
    this.#state = state;
    this.#isReady = state.ready;
    // During a new interview the server has no values of the node.
    if (state.ready || state.values.length > 0) this.#values = new NodeValues(state.values, leftAside);
    this.#heardAt = heardAt(this.#clock, state);
    this.describe();
  }

  /** Its values or their metadata have changed. */
  describe(): void {
    this.#description = describeNode(this.#state, this.#values, this.#addresses);
  }

  /** Whether it sleeps and has been silent for longer than its tolerated delay. */
  get hasMissedWakes(): boolean {
    if (!this.isAsleep) return false;
    const seconds = this.#values.raw(WAKE_UP_INTERVAL);
    // Without an interval the node wakes only for events.
    if (typeof seconds !== "number" || seconds <= 0) return false;
    return this.#clock.monotonic() - this.#heardAt > MISSED_WAKES * seconds * 1000 + LATE_MS;
  }
}

function heardAt(clock: Clock, { lastSeen }: NodeState): number {
  const seen = lastSeen === undefined ? undefined : parseTime(lastSeen);
  const age = seen === undefined ? 0 : Math.max(0, clock.now() - seen);
  return clock.monotonic() - age;
}
