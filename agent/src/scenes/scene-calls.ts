/**
 * Calls a scene for a trigger: each of its writes becomes a command of the hub, like a command of the API at home.
 *
 * Invariants: an ID derives from the cause of the call, so that the journal executes no write of one call twice; a write that the device
 * would refuse is not sent; no failure of a device or the disk throws here.
 */
import { createHash } from "node:crypto";
import { type Clock, idOfDigest, isNamed, type Log } from "@porchlight/shared/kernel";
import { addressKey, describe } from "@porchlight/shared/model";
import { checkWrite } from "@porchlight/shared/rest";
import type { SceneCaller, StoredScene } from "@porchlight/shared/tunnel";
import { type Commands, carryOutTogether } from "../commands/index.ts";
import { type CommandRequest, type State, targetKey } from "../state/index.ts";

export interface SceneCallsDeps {
  readonly clock: Clock;
  readonly log: Log;
  readonly state: Pick<State, "device" | "home">;
  readonly commands: Pick<Commands, "command">;
  /** Whether the hub may control devices: not while another agent with its identity is online. */
  readonly mayTouch: () => boolean;
}

/** The cause of a call. */
export interface CallCause {
  readonly by: Exclude<SceneCaller, "api">;
  /** Permanent name of this press of a button, or of this time of a trigger. */
  readonly occurrence: string;
}

type Write = StoredScene["writes"][number];

/** Deadline of the writes of a scene, ms. */
const DEADLINE_MS = 10_000;
/** Maximum concurrent calls of one scene: a user who presses a button faster than the lamps can follow loses presses. */
const MOST_RUNNING = 16;
/** Maximum failed writes that one log line names. */
const MOST_NAMED = 5;

export class SceneCalls {
  readonly #deps: SceneCallsDeps;
  /** Number of calls in progress by scene; a scene without any has no entry. */
  readonly #running = new Map<string, number>();
  /** Since the start. */
  readonly counters = { called: 0, refused: 0 };

  constructor(deps: SceneCallsDeps) {
    this.#deps = deps;
  }

  /** Starts to execute a scene, unless it no longer exists or too many calls of it are in progress. */
  call(id: string, cause: CallCause): void {
    const { log, state } = this.#deps;
    const why = this.#hindrance(id);
    const scene = state.home.scenes.get(id);
    if (why !== undefined || !scene) {
      this.counters.refused += 1;
      log.warn({ scene: id, ...cause, why: why ?? "the hub no longer stores it" }, "a scene was not called");
      return;
    }
    this.counters.called += 1;
    this.#count(id, 1);
    this.#carryOut(scene, cause)
      .catch((failure: unknown) =>
        log.error({ scene: id, ...cause, failure: String(failure) }, "a scene's call failed"),
      )
      .finally(() => this.#count(id, -1));
  }

  #hindrance(id: string): string | undefined {
    if (!this.#deps.mayTouch()) return "another agent with the hub's identity is online";
    return (this.#running.get(id) ?? 0) >= MOST_RUNNING ? "too many calls of it are under way" : undefined;
  }

  #count(id: string, more: number): void {
    const running = (this.#running.get(id) ?? 0) + more;
    if (running === 0) this.#running.delete(id);
    else this.#running.set(id, running);
  }

  async #carryOut(scene: StoredScene, { by, occurrence }: CallCause): Promise<void> {
    const { clock, log, mayTouch } = this.#deps;
    const requests = scene.writes
      .filter((write) => this.#maySend(scene, write))
      .map((write): CommandRequest => {
        const id = commandOf(scene.id, by, occurrence, write);
        return { ...write, id, local: true, scene: { id: scene.id, by } };
      });
    const deadline = clock.monotonic() + DEADLINE_MS;
    const results = await carryOutTogether(this.#deps, requests, { deadline, mayTouch });
    const failed = results.filter(({ outcome }) => outcome !== "confirmed");
    const about = { scene: scene.id, by, occurrence, confirmed: results.length - failed.length };
    if (failed.length === 0) {
      log.info(about, "a scene was called");
      return;
    }
    const named = failed
      .slice(0, MOST_NAMED)
      .map(({ command, outcome, failure, ...target }) => ({ command, target: targetKey(target), outcome, failure }));
    log.warn(
      { ...about, failed: failed.length, first: named },
      "a scene was called, and not all of it was carried out",
    );
  }

  /** Whether to send a write. A write to an unknown device is sent, because the command reports the failure. */
  #maySend({ id }: StoredScene, write: Write): boolean {
    const { state, log } = this.#deps;
    const device = state.device(write.device);
    if (!device) return true;
    try {
      checkWrite(describe(device.description), addressKey(write), write.value);
      return true;
    } catch (failure) {
      if (!isNamed(failure)) throw failure;
      log.warn({ scene: id, target: targetKey(write), why: failure.message }, "a write of a scene was not sent");
      return false;
    }
  }
}

function commandOf(scene: string, by: string, occurrence: string, write: Write): string {
  const digest = createHash("sha256")
    .update(JSON.stringify([scene, by, occurrence, targetKey(write)]))
    .digest();
  return idOfDigest("cmd", digest);
}
