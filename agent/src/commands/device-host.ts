/** Stores the reports of drivers: the inbound counterpart of `commands.ts`, which handles the requests of the cloud. */
import {
  acceptedObservation,
  allows,
  type DriverHost,
  type LiveDevice,
  type Observation,
  PushQueue,
  type PushResult,
  type ReportSource,
  worthOf,
} from "@porchlight/driver-kit";
import { BoundedMap, type Clock, type Log, type Random, type Timer } from "@porchlight/shared/kernel";
import { type DeviceDescription, findProperty, type PropertyAddress } from "@porchlight/shared/model";
import type { State } from "../state/index.ts";
import type { DeviceAvailability } from "./device-availability.ts";
import type { DoubtfulValues } from "./doubtful-values.ts";

export interface DeviceHostDeps {
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly state: Pick<
    State,
    "arrive" | "leave" | "report" | "repeat" | "learn" | "learnRetained" | "forgetReports" | "hasRoomFor" | "devices"
  >;
  readonly availability: DeviceAvailability;
  /** Receives the unknown values of devices. */
  readonly doubts: Pick<DoubtfulValues, "unread" | "arrived" | "learned">;
  /** How long after the start a device that was online may take to come back before it counts as gone, ms. */
  readonly absentMs: number;
  /** Called for a fresh report once it is stored: each report once, and none that is old. @param name permanent name of the report */
  readonly happened?: ((report: Observation, name: string) => void) | undefined;
}

export class DeviceHost implements DriverHost, Disposable {
  readonly log: Log;
  readonly #deps: DeviceHostDeps;
  readonly #pushes: PushQueue;
  /** Descriptions of the live devices. */
  readonly #descriptions = new Map<string, DeviceDescription>();
  readonly #age: ReportAge;
  #absence: Timer | undefined;
  #ending: "no" | "stopping" | "killed" = "no";

  private constructor(deps: DeviceHostDeps) {
    this.#deps = deps;
    this.log = deps.log;
    const { clock, random } = deps;
    this.#pushes = new PushQueue({ clock, random, report: (report, source) => this.#report(report, source, false) });
    this.#age = new ReportAge(clock);
  }

  static start(deps: DeviceHostDeps): DeviceHost {
    const host = new DeviceHost(deps);
    host.#absence = deps.clock.timer("absent devices", deps.absentMs, () => host.#tellAbsent());
    return host;
  }

  isLive(edgeId: string): boolean {
    return this.#deps.availability.of(edgeId) === "there";
  }

  arrived(device: LiveDevice): "admitted" | "refused" {
    const { edgeId } = device;
    if (this.#ending !== "no") return "refused";
    if (this.isLive(edgeId)) {
      this.log.warn(
        { device: edgeId, transport: device.transport },
        "a device is listed on two links: the hub uses the first",
      );
      return "refused";
    }
    if (!this.#deps.state.hasRoomFor(edgeId)) {
      this.log.warn({ device: edgeId }, "the hub already has the largest number of devices: this one is not used");
      return "refused";
    }
    this.#deps.availability.arrived(edgeId);
    this.#age.arrived(edgeId);
    this.#deps.doubts.arrived(edgeId);
    this.#descriptions.set(edgeId, device.description);
    this.#store(this.#deps.state.arrive(device), edgeId);
    return "admitted";
  }

  described(device: LiveDevice): void {
    if (this.#ending !== "no" || !this.isLive(device.edgeId)) return;
    this.#descriptions.set(device.edgeId, device.description);
    this.#store(this.#deps.state.arrive(device), device.edgeId);
  }

  left(edgeId: string): void {
    // A stopping hub knows nothing of its devices any more, so it must not report that they have left.
    if (this.#ending !== "no" || !this.#deps.availability.left(edgeId)) return;
    this.#descriptions.delete(edgeId);
    this.#age.left(edgeId);
    this.#store(this.#deps.state.leave(edgeId), edgeId);
  }

  opened(transport: string): void {
    if (this.#ending !== "no") return;
    const { state, availability } = this.#deps;
    const onIt = state.devices().filter(({ about }) => about.transport === transport);
    availability.opened(onIt.map(({ edgeId }) => edgeId));
  }

  reported(report: Observation, source: ReportSource): Promise<"stored" | "repeated" | "busy"> {
    return this.#report(this.#accepted(report), source, true);
  }

  /** @param isKept the device keeps the report until it is acknowledged */
  async #report(report: Observation, source: ReportSource, isKept: boolean): Promise<"stored" | "repeated" | "busy"> {
    if (this.#ending === "stopping") return "busy";
    try {
      if (this.#ending === "no") {
        const stored = await this.#deps.state.report(report, source);
        this.#look(stored, report, source, isKept);
        return stored;
      }
    } catch (failure) {
      this.#age.held(source);
      if (this.#isKilled) return never();
      this.log.error(
        { device: report.device, failure: String(failure) },
        "a report could not be stored: the device must send it again",
      );
      return "busy";
    }
    return never();
  }

  async pushed(observation: Observation): Promise<PushResult> {
    if (this.#isKilled) return never();
    const described = findProperty(this.#descriptions.get(observation.device) ?? [], observation);
    if (!described || worthOf(described, observation.value) === "wrong_type") return "refused";
    const accepted = this.#accepted(observation);
    const isEvent = !allows(described, "read");
    if (!isEvent && this.#ending === "no" && !this.#pushes.has(accepted) && this.#deps.state.repeat(accepted))
      return "stored";
    return this.#pushes.push(accepted, isEvent);
  }

  async learned(observation: Observation): Promise<void> {
    if (this.#ending !== "no") return;
    try {
      const accepted = this.#accepted(observation);
      if (observation.isRetained) return await this.#deps.state.learnRetained(accepted);
      await this.#deps.state.learn(accepted, "read");
      this.#deps.doubts.learned(observation);
    } catch (failure) {
      this.#deps.doubts.unread(observation);
      throw failure;
    }
  }

  unread(device: string, address: PropertyAddress): void {
    if (this.#ending === "no") this.#deps.doubts.unread({ device, ...address });
  }

  forgetReports(node: string): void {
    if (this.#ending === "no") this.#store(this.#deps.state.forgetReports(node), node);
  }

  /** Accepts nothing more; devices are asked to keep their reports for the next start. */
  [Symbol.dispose](): void {
    this.#end("stopping");
  }

  /** Accepts nothing and answers nothing more. */
  kill(): void {
    this.#end("killed");
  }

  /** Replaces the device's value by the value that the hub stores for it. */
  #accepted(observation: Observation): Observation {
    return acceptedObservation(this.#descriptions.get(observation.device), observation);
  }

  get #isKilled(): boolean {
    return this.#ending === "killed";
  }

  #look(result: "stored" | "repeated" | "busy", report: Observation, source: ReportSource, isKept: boolean): void {
    if (result === "busy") this.#age.held(source);
    if (result !== "stored" || this.#ending !== "no") return;
    const { node, boot, seq } = source;
    if (this.#age.isFresh(report.device, source, isKept)) this.#deps.happened?.(report, `${node} ${boot} ${seq}`);
  }

  #end(how: "stopping" | "killed"): void {
    this.#ending = how;
    this.#absence?.cancel();
    this.#pushes[Symbol.dispose]();
    this.#deps.availability.end();
  }

  /** Marks devices as gone that were online when the agent last ran and have not come back. */
  #tellAbsent(): void {
    const { state } = this.#deps;
    for (const { edgeId, online } of state.devices()) {
      if (online && !this.isLive(edgeId)) this.#store(state.leave(edgeId), edgeId);
    }
  }

  #store(stored: Promise<void>, device: string): void {
    stored.catch((failure: unknown) => {
      if (this.#ending === "no")
        this.log.error({ device, failure: String(failure) }, "a change of a device could not be stored");
    });
  }
}

/** The answer of a killed process: none. */
function never(): Promise<never> {
  return new Promise(() => undefined);
}

/** How long a device takes after its arrival to send the reports that it kept, ms: at least four events, four per second (P4, P8). */
const COMING_MS = 5000;
/** A report that the hub had no room for is old when it is stored after more than this, ms. */
const OLD_MS = 5000;
/** Maximum reports without room that are remembered. */
const MOST_HELD = 1000;

/**
 * Decides whether a report is fresh. Devices keep reports while their hub is away or has no room (device protocol P7, P11), without their
 * age; an old press must not switch anything.
 */
class ReportAge {
  readonly #clock: Clock;
  /** When a device arrived on its link, on the monotonic clock, ms. */
  readonly #arrived = new Map<string, number>();
  /** When a report without room first came. */
  readonly #held = new BoundedMap<string, number>(MOST_HELD);

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  arrived(edgeId: string): void {
    this.#arrived.set(edgeId, this.#clock.monotonic());
  }

  left(edgeId: string): void {
    this.#arrived.delete(edgeId);
  }

  /** There was no room for the report: the device sends it again. */
  held(source: ReportSource): void {
    const key = keyOf(source);
    if (this.#held.get(key) === undefined) this.#held.set(key, this.#clock.monotonic());
  }

  /**
   * Whether a report that is stored now has just happened; call it once per report.
   * @param isKept the device keeps its reports until they are acknowledged
   */
  isFresh(device: string, source: ReportSource, isKept: boolean): boolean {
    const now = this.#clock.monotonic();
    const since = this.#held.get(keyOf(source)) ?? now;
    this.#held.delete(keyOf(source));
    if (now - since > OLD_MS) return false;
    const arrived = this.#arrived.get(device);
    return !isKept || (arrived !== undefined && now - arrived > COMING_MS);
  }
}

function keyOf({ node, boot, seq }: ReportSource): string {
  return `${node} ${boot} ${seq}`;
}
