/** One tunnel after its welcome: its lease, the requests through it, its end. `HubInbox` handles the hub's messages. */
import type { DriverAnswer, DriverQuestion, MaintenanceAnswer, MaintenanceQuestion } from "@porchlight/shared/model";
import {
  type CloseReason,
  type CommandAnswer,
  type DeviceName,
  frames,
  goodCommandAnswer,
  type Names,
  type Peer,
  type PeerEvents,
  PeerGone,
  type ResultRecord,
  type SceneCallAnswer,
  type Scenes,
  type StoredScene,
} from "@porchlight/shared/tunnel";
import type { z } from "zod";
import type { LiveSign } from "../presence.ts";
import { frameProblem } from "./frame-problem.ts";
import type { Hub } from "./hub.ts";
import { HubInbox, type InboxDeps, type InboxFacts } from "./hub-inbox.ts";
import type { HubCall, HubCommand, HubTarget, HubTunnel, ReadResult } from "./hub-listener.ts";
import type { HubReading } from "./hub-reading.ts";
import type { Lease } from "./lease.ts";

export interface TunnelDeps extends InboxDeps {
  /** Whether this node may answer for its tunnels. */
  readonly nodeAlive: () => boolean;
  /** Since when it may, without interruption, wall-clock ms. */
  readonly aliveSince: () => number;
  /** A tunnel that the store has recorded is over. */
  readonly onEnd: (tunnel: Tunnel, reason: CloseReason | "lost") => void;
}

export interface TunnelFacts extends InboxFacts {
  readonly agentVersion: string;
  /** Wall-clock ms. */
  readonly openedAt: number;
  /** Earlier openings of the last day, wall-clock ms. */
  readonly openings: readonly number[];
  /** See {@link HubTunnel.namesDigest}. */
  readonly namesDigest: string | undefined;
  /** See {@link HubTunnel.scenesDigest}. */
  readonly scenesDigest: string | undefined;
}

interface QuestionLimits {
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
}

const DAY_MS = 24 * 3_600_000;
/** Requests sent this shortly before a hub leaves could cross its goodbye with an unknown outcome, ms. */
const LEAVING_MS = 250;
/** Timeout for a hub to store names or scenes, ms. */
const NAMES_MS = 30_000;

export class Tunnel implements HubTunnel, PeerEvents {
  readonly hub: Hub;
  readonly facts: TunnelFacts;
  readonly #deps: TunnelDeps;
  readonly #peer: Peer;
  readonly #lease: Lease;
  readonly #reading: HubReading;
  readonly #inbox: HubInbox;
  #calls = 0;
  /** Monotonic time from which no more requests are sent, ms. */
  #leavesAt: number | undefined;
  #onIdle: (() => void) | undefined;

  constructor(deps: TunnelDeps, peer: Peer, lease: Lease, reading: HubReading, facts: TunnelFacts) {
    this.hub = facts.hub;
    this.facts = facts;
    this.#deps = deps;
    this.#peer = peer;
    this.#lease = lease;
    this.#reading = reading;
    this.#inbox = new HubInbox(deps, peer, reading, facts);
  }

  /** The client that owns the tunnel, and the credential it connected with. */
  get owner() {
    return { ...this.hub, tokenId: this.facts.tokenId };
  }

  /** Handles a request of the hub; undefined for an unknown method. */
  request(method: string, params: unknown): Promise<unknown> | undefined {
    return this.#inbox.request(method, params);
  }

  /** Called by the peer only, as {@link heard}, {@link dropped} and {@link down}: a hub sends no notifications. */
  notification(): boolean {
    return false;
  }

  heard({ length }: string): void {
    this.#reading.heard(length);
  }

  dropped(what: string, error?: unknown): void {
    const { count, log } = this.#deps;
    count(what);
    if (error !== undefined) log.error({ error, client: this.hub.clientId }, "a request of a hub failed");
  }

  down(reason: CloseReason | "lost"): void {
    this.#reading[Symbol.dispose]();
    this.#deps.onEnd(this, reason);
  }

  /** Whether the hub is connected, as far as this node may answer for it. */
  get live(): boolean {
    return !this.#peer.isDown && this.#lease.live && this.#deps.nodeAlive();
  }

  /** Whether the hub was asked to reconnect elsewhere. */
  get isSentAway(): boolean {
    return this.#leavesAt !== undefined;
  }

  get isLeaving(): boolean {
    return this.#leavesAt !== undefined && this.#deps.clock.monotonic() >= this.#leavesAt;
  }

  get isDown(): boolean {
    return this.#peer.isDown;
  }

  get sign(): LiveSign {
    const { openedAt, agentVersion, openings, scenesDigest } = this.facts;
    const since = this.#deps.clock.now() - DAY_MS;
    return {
      openedAt: Math.max(openedAt, this.#lease.liveSince, this.#deps.aliveSince()),
      agentVersion,
      storesScenes: scenesDigest !== undefined,
      lastHeardAt: this.#lease.lastHeardAt,
      reconnects24h: openings.filter((at) => at > since).length,
      ...this.#inbox.hubReport,
    };
  }

  async command(command: HubCommand, call: HubCall, late?: (answer: ResultRecord) => void): Promise<CommandAnswer> {
    const onLate = late && ((answer: unknown) => late(this.#commandAnswer(command, answer)));
    const { requestId, trace } = call;
    const frame = { ...command, ...(requestId !== undefined && { requestId }), ...(trace && { trace }) };
    return this.#commandAnswer(command, await this.#call("command", frame, call, onLate));
  }

  #commandAnswer(command: HubCommand, given: unknown): CommandAnswer {
    const answer = goodCommandAnswer(given) ?? this.#parseAnswer(frames.commandAnswer, given);
    const { id, device, service, index, property } = command;
    const same =
      answer.command === id &&
      answer.device === device &&
      answer.service === service &&
      answer.index === index &&
      answer.property === property;
    return same ? answer : this.#malformedAnswer("command");
  }

  async callScene(
    sceneId: string,
    commands: readonly HubCommand[],
    call: HubCall,
    late?: (answers: readonly CommandAnswer[]) => void,
  ): Promise<readonly CommandAnswer[]> {
    const onLate = late && ((answer: unknown) => late(this.#sceneAnswers(commands, answer)));
    const { requestId } = call;
    const frame = { scene: sceneId, commands, ...(requestId !== undefined && { requestId }) };
    return this.#sceneAnswers(commands, await this.#call("scene.call", frame, call, onLate));
  }

  #sceneAnswers(commands: readonly HubCommand[], given: unknown): readonly CommandAnswer[] {
    const answers = sceneAnswersOf(commands, this.#parseAnswer(frames.sceneCallAnswer, given));
    return answers ?? this.#malformedAnswer("scene.call");
  }

  async read(items: readonly HubTarget[], call: HubCall): Promise<readonly ReadResult[]> {
    const { maxAgeMs: maxAge } = call;
    const frame = { items, ...(maxAge !== undefined && { maxAge }) };
    const answer = this.#parseAnswer(frames.readAnswer, await this.#call("read", frame, call));
    return answer.items.length === items.length ? answer.items : this.#malformedAnswer("read");
  }

  async drivers(question: DriverQuestion, limits: QuestionLimits): Promise<DriverAnswer> {
    return this.#parseAnswer(frames.driversAnswer, await this.#question("drivers", question, limits));
  }

  async maintenance(question: MaintenanceQuestion, limits: QuestionLimits): Promise<MaintenanceAnswer> {
    return this.#parseAnswer(frames.maintenanceAnswer, await this.#question("maintenance", question, limits));
  }

  /** Maps no deadline, and a goodbye does not wait for it: the user asks again. */
  async #question(method: string, question: object, { timeoutMs, signal }: QuestionLimits): Promise<unknown> {
    if (!this.live || this.isLeaving) throw new PeerGone(false);
    return this.#peer.ask(method, { question }, { timeoutMs, signal });
  }

  get namesDigest(): string | undefined {
    return this.facts.namesDigest;
  }

  async names(names: Names): Promise<readonly string[]> {
    const answer = await this.#peer.ask("names", names, { timeoutMs: NAMES_MS });
    return this.#parseAnswer(frames.namesAnswer, answer).wanted;
  }

  async name(name: DeviceName): Promise<void> {
    this.#parseAnswer(frames.nameAnswer, await this.#peer.ask("name", name, { timeoutMs: NAMES_MS }));
  }

  get scenesDigest(): string | undefined {
    return this.facts.scenesDigest;
  }

  async scenes(scenes: Scenes): Promise<readonly string[]> {
    const answer = await this.#peer.ask("scenes", scenes, { timeoutMs: NAMES_MS });
    return this.#parseAnswer(frames.scenesAnswer, answer).wanted;
  }

  async scene(scene: StoredScene): Promise<void> {
    this.#parseAnswer(frames.sceneAnswer, await this.#peer.ask("scene", scene, { timeoutMs: NAMES_MS }));
  }

  /** Asks the hub to reconnect after that time; calls in flight may finish. */
  goAway(afterMs: number): void {
    this.#leavesAt ??= this.#deps.clock.monotonic() + Math.max(0, afterMs - LEAVING_MS);
    this.#peer.notify("goaway", { afterMs });
  }

  close(reason: CloseReason): void {
    this.#peer.close(reason);
  }

  /** Closes the tunnel if its lease is over. */
  closeIfOver(): void {
    if (!this.#lease.live) this.close(this.#lease.endReason);
  }

  /** Resolves when no call is in flight. */
  idle(): Promise<void> {
    if (this.#calls === 0) return Promise.resolve();
    return new Promise((resolve) => {
      this.#onIdle = resolve;
    });
  }

  /** Sends a request with a deadline: a goodbye waits for it, and its signal cancels it at the hub. */
  async #call(
    method: string,
    params: object,
    { deadline, answerBy, signal }: HubCall,
    onLate?: (answer: unknown) => void,
  ): Promise<unknown> {
    if (!this.live || this.isLeaving) throw new PeerGone(false);
    const now = this.#deps.clock.monotonic();
    const at = now - this.facts.helloAt;
    let id: number | undefined;
    const cancel = () => {
      if (id !== undefined) this.#peer.notify("cancel", { id });
    };
    signal?.addEventListener("abort", cancel, { once: true });
    this.#calls += 1;
    try {
      const frame = { at, deadline: deadline - this.facts.helloAt, ...params };
      const timeoutMs = Math.max(0, answerBy - now);
      return await this.#peer.ask(method, frame, {
        timeoutMs,
        signal,
        onLate,
        onId: (given) => {
          id = given;
        },
      });
    } finally {
      signal?.removeEventListener("abort", cancel);
      this.#calls -= 1;
      if (this.#calls === 0) this.#onIdle?.();
    }
  }

  #parseAnswer<T>(schema: z.ZodType<T>, answer: unknown): T {
    const parsed = schema.safeParse(answer);
    return parsed.success ? parsed.data : this.#malformedAnswer(frameProblem(parsed.error));
  }

  #malformedAnswer(why: string): never {
    this.#deps.log.warn({ client: this.hub.clientId, why }, "a hub sent an invalid answer; its tunnel is closed");
    this.close("malformed");
    throw new PeerGone(true);
  }
}

/**
 * Splits the answer to `scene.call` into one answer for each command, as if the hub had answered that command alone, in
 * the order of the commands; undefined when the answer does not match them.
 */
function sceneAnswersOf(
  commands: readonly HubCommand[],
  { results }: SceneCallAnswer,
): readonly CommandAnswer[] | undefined {
  if (results.length !== commands.length) return undefined;
  const answers: CommandAnswer[] = [];
  for (const [at, { command, ...result }] of results.entries()) {
    const asked = commands[at];
    if (asked?.id !== command) return undefined;
    const { id: _id, value: requested, ...target } = asked;
    answers.push({ kind: "result", command, ...target, requested, ...result });
  }
  return answers;
}
