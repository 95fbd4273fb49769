/**
 * Calls a scene for a trigger: each of its writes becomes a command of the hub, like one of the API at home.
 *
 * Invariants: an ID is made of what called the scene, so that the journal carries out no write of one call twice; what a device would
 * refuse is not sent; nothing here throws for what a device or the disk does.
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
  /** Whether the hub may touch devices: not while another agent with its identity is online. */
  readonly mayTouch: () => boolean;
}

/** Why a scene is called. */
export interface CallCause {
  readonly by: Exclude<SceneCaller, "api">;
  /** Names this press of a button, or this time of a trigger, for ever. */
  readonly occurrence: string;
}

type Write = StoredScene["writes"][number];

/** How long the devices of a scene have, ms. */
const DEADLINE_MS = 10_000;
/** Calls of one scene that are under way at once: who presses a button faster than its lamps can follow is not kept up with. */
const MOST_RUNNING = 16;
/** Writes that failed, of those that one line of the log names. */
const MOST_NAMED = 5;

export class SceneCalls {
  readonly #deps: SceneCallsDeps;
  /** How many calls of a scene are under way; of a scene without any there is no entry. */
  readonly #running = new Map<string, number>();
  /** Since the start. */
  readonly counters = { called: 0, refused: 0 };

  constructor(deps: SceneCallsDeps) {
    this.#deps = deps;
  }

  /** Begins to carry out a scene; one that is not there any more, or of which too many calls are under way, is left alone. */
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

  /** A device that the hub has not met is left to the command, which says so. */
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
