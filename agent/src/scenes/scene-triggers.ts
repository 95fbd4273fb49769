/**
 * The triggers of the hub's scenes: buttons, times, the sun. They follow the scenes that the cloud sends, and work without the cloud too.
 *
 * Invariants: a press of a button calls a scene once, after it is stored; a hub without triggers has no timer.
 */
import { type Clock, type Timer, ZoneTime } from "@porchlight/shared/kernel";
import { findProperty, type Value } from "@porchlight/shared/model";
import type { StoredScene } from "@porchlight/shared/tunnel";
import {
  type PropertyTarget,
  type SceneHome,
  type SceneSummary,
  type State,
  type TimeKnown,
  targetKey,
} from "../state/index.ts";
import type { HomeSituation } from "./next-due.ts";
import { SceneCalls, type SceneCallsDeps } from "./scene-calls.ts";
import { type OwnedTrigger, TimedTriggers } from "./timed-triggers.ts";

export interface SceneTriggersDeps
  extends Omit<SceneCallsDeps, "clock" | "state">,
    Pick<ClockTrustDeps, "isMachineClockSet"> {
  /** Its time is the hub's best estimate. */
  readonly state: Pick<State, "device" | "home" | "time" | "timeKnown">;
}

/** The status of the hub's scenes. */
export interface SceneStatus {
  /** Scenes that the hub stores. */
  readonly stored: number;
  /** Scenes that a time or the sun calls. */
  readonly timed: number;
  /** When the next call is due, ms since 1970; left out when none is, or the time is unknown. */
  readonly next?: number | undefined;
  /** The reason why none is due: the clock is not set, or the system does not know the home's time zone. */
  readonly hindrance?: { readonly kind: "clock" } | { readonly kind: "zone"; readonly zone: string } | undefined;
  /** Since the start: scenes that the hub called by itself, and due scenes that it did not call. */
  readonly called: number;
  readonly refused: number;
}

/** Changes of scenes within this time are handled together, ms: a home may have a thousand scenes. */
const GATHER_MS = 100;

type EventTrigger = Extract<StoredScene["triggers"][number], { kind: "event" }>;

/** The value of a button, and the scene that it calls. */
interface Binding {
  readonly scene: string;
  readonly value: string;
}

export class SceneTriggers implements Disposable {
  readonly #deps: SceneTriggersDeps;
  readonly #calls: SceneCalls;
  readonly #timed: TimedTriggers;
  readonly #trust: ClockTrust;
  readonly #stopListening: () => void;
  #bindings: ReadonlyMap<string, readonly Binding[]> = new Map();
  #situation: HomeSituation = {};
  /** The home of that situation. */
  #situated = "";
  /** Runs while changes are collected. */
  #gathering: Timer | undefined;
  #stored = 0;
  #timedScenes = 0;
  #unknownZone: string | undefined;

  private constructor(deps: SceneTriggersDeps) {
    const { log, state, isMachineClockSet } = deps;
    const clock = state.time;
    this.#deps = deps;
    this.#trust = new ClockTrust({ clock, known: () => state.timeKnown, isMachineClockSet });
    this.#calls = new SceneCalls({ ...deps, clock });
    this.#timed = new TimedTriggers({
      clock,
      isClockSet: () => this.#trust.isSet,
      due: (scene, trigger, occurrence) => {
        log.debug({ scene, trigger, occurrence }, "a trigger of a scene is due");
        this.#calls.call(scene, { by: trigger.kind, occurrence: `${JSON.stringify(trigger)} ${occurrence}` });
      },
    });
    this.#stopListening = state.home.scenes.listen(() => {
      this.#gathering ??= clock.timer("changes of scenes", GATHER_MS, () => this.#take());
    });
  }

  static start(deps: SceneTriggersDeps): SceneTriggers {
    const triggers = new SceneTriggers(deps);
    triggers.#take();
    return triggers;
  }

  /** Handles a fresh report of a device, which is stored already. @param name permanent name of the report */
  happened(target: PropertyTarget & { readonly value: Value }, name: string): void {
    const bindings = this.#bindings.get(targetKey(target));
    // A readable property may report the same value repeatedly.
    if (!bindings || this.#isReadable(target)) return;
    for (const { scene, value } of bindings)
      if (value === target.value) this.#calls.call(scene, { by: "event", occurrence: name });
  }

  status(): SceneStatus {
    const zone = this.#unknownZone;
    const isUnset = this.#timedScenes > 0 && !this.#trust.isSet;
    return {
      stored: this.#stored,
      timed: this.#timedScenes,
      next: this.#timed.next,
      hindrance: isUnset ? { kind: "clock" } : zone === undefined ? undefined : { kind: "zone", zone },
      ...this.#calls.counters,
    };
  }

  [Symbol.dispose](): void {
    this.#stopListening();
    this.#gathering?.cancel();
    this.#timed[Symbol.dispose]();
    this.#bindings = new Map();
  }

  #isReadable(target: PropertyTarget): boolean {
    const device = this.#deps.state.device(target.device);
    return !device || (findProperty(device.description, target)?.access.includes("read") ?? true);
  }

  #take(): void {
    this.#gathering = undefined;
    const { scenes } = this.#deps.state.home;
    const summaries = scenes.summaries();
    this.#stored = summaries.length;
    this.#bindings = bindingsOf(summaries);
    const timed = summaries.flatMap(timedOf);
    this.#timedScenes = new Set(timed.map(({ owner }) => owner)).size;
    this.#situate(scenes.home);
    this.#unknownZone = timed.length > 0 && !this.#situation.time ? scenes.home?.timeZone : undefined;
    this.#timed.set(timed, this.#situation);
  }

  /** Looks up the rules of the time zone once, and not with each scene that arrives. */
  #situate({ timeZone, location }: Partial<SceneHome> = {}): void {
    const situated = JSON.stringify([timeZone, location]);
    if (situated === this.#situated) return;
    this.#situated = situated;
    this.#situation = { time: timeZone === undefined ? undefined : ZoneTime.in(timeZone), position: location };
  }
}

function bindingsOf(summaries: readonly SceneSummary[]): Map<string, Binding[]> {
  const bindings = new Map<string, Binding[]>();
  for (const { id, triggers } of summaries) {
    // Of equal triggers, one counts.
    const own = new Map(triggers.filter(isEvent).map((each) => [`${targetKey(each)} ${each.value}`, each]));
    for (const trigger of own.values()) {
      const key = targetKey(trigger);
      bindings.set(key, [...(bindings.get(key) ?? []), { scene: id, value: trigger.value }]);
    }
  }
  return bindings;
}

function timedOf({ id, triggers }: SceneSummary): OwnedTrigger[] {
  return triggers.flatMap((trigger) => (trigger.kind === "event" ? [] : [{ owner: id, trigger }]));
}

function isEvent(trigger: StoredScene["triggers"][number]): trigger is EventTrigger {
  return trigger.kind === "event";
}

interface ClockTrustDeps {
  /** The hub's best estimate of the time. */
  readonly clock: Clock;
  /** The source of that time. */
  readonly known: () => TimeKnown;
  /** Whether the machine's own clock has been set since power-on; undefined where that cannot be determined. */
  readonly isMachineClockSet?: ((now: number) => boolean | undefined) | undefined;
}

/** 1 January 2026: a clock that is earlier than this program is wrong. */
const EARLIEST_MS = 1_767_225_600_000;

/**
 * Whether a hub knows the time: a machine without a battery starts with the time of its last shutdown, or with 1970, and such a clock must
 * not trigger anything.
 */
export class ClockTrust {
  readonly #deps: ClockTrustDeps;
  /** Stays true for this life of the agent once the clock is set. */
  #isMachineSet = false;

  constructor(deps: ClockTrustDeps) {
    this.#deps = deps;
  }

  get isSet(): boolean {
    const { clock, known, isMachineClockSet } = this.#deps;
    const { source, isSetByCloud } = known();
    const now = clock.now();
    if (now < EARLIEST_MS) return false;
    if (isSetByCloud) return true;
    // The system's clock is earlier than a stored time: the hub continues from that one, without knowing how long it was off.
    if (source === "guessed") return false;
    this.#isMachineSet ||= isMachineClockSet?.(now) ?? true;
    return this.#isMachineSet;
  }
}
