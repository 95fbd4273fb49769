/** A host for the tests of drivers. */
import { type Clock, type Log, seededRandom, silentLog, VirtualClock } from "@porchlight/shared/kernel";
import { addressKey, type DeviceDescription, type PropertyAddress, type Value } from "@porchlight/shared/model";
import type { DriverHost, LiveDevice, Observation, PushResult, ReportSource } from "../contract/driver.ts";
import { PushQueue } from "./push-queue.ts";

type Taken = "stored" | "repeated" | "busy";

/** A host that records every call in order, and commits at once by default. */
export class FakeHost implements DriverHost {
  log: Log = silentLog;
  readonly arrivals: LiveDevice[] = [];
  readonly reports: { report: Observation; source: ReportSource }[] = [];
  readonly learnings: Observation[] = [];
  readonly forgotten: string[] = [];
  /** Everything, in one order. */
  readonly story: string[] = [];
  readonly live = new Set<string>();
  /** As each device last described itself. */
  readonly descriptions = new Map<string, DeviceDescription>();
  readonly #values = new Map<string, { value: Value; times: number }>();
  refuses = new Set<string>();
  commit: (report: Observation, source: ReportSource) => Promise<Taken> = async () => "stored";

  /** Of what is pushed again, where no other was given. */
  readonly clock = new VirtualClock();
  readonly pushes: PushQueue;
  readonly #waiting = new Set<() => void>();

  /** @param clock of what is pushed again */
  constructor(clock?: Clock) {
    this.pushes = new PushQueue({
      clock: clock ?? this.clock,
      random: seededRandom(1),
      report: (report, source) => this.#commit(report, source),
    });
  }

  /** Settles once this line is in the story, for the `times`-th time. */
  async recorded(line: string, times = 1): Promise<void> {
    while (this.story.filter((each) => each === line).length < times) await this.nextLine();
  }

  /** Settles at the next line of the story. */
  nextLine(): Promise<void> {
    const next = Promise.withResolvers<void>();
    this.#waiting.add(next.resolve);
    return next.promise;
  }

  /** What the device last reported, or the driver read, of the property; undefined when nothing was. */
  valueOf(device: string, address: PropertyAddress): Value | undefined {
    return this.#values.get(`${device} ${addressKey(address)}`)?.value;
  }

  /** How often a value of the property has come. */
  timesOf(device: string, address: PropertyAddress): number {
    return this.#values.get(`${device} ${addressKey(address)}`)?.times ?? 0;
  }

  #note({ device, value, ...address }: Observation): void {
    const key = `${device} ${addressKey(address)}`;
    this.#values.set(key, { value, times: (this.#values.get(key)?.times ?? 0) + 1 });
  }

  #tell(line: string): void {
    this.story.push(line);
    for (const wake of this.#waiting) wake();
    this.#waiting.clear();
  }

  arrived(device: LiveDevice): "admitted" | "refused" {
    if (this.refuses.has(device.edgeId) || this.live.has(device.edgeId)) {
      this.#tell(`refused ${device.edgeId}`);
      return "refused";
    }
    this.live.add(device.edgeId);
    this.descriptions.set(device.edgeId, device.description);
    this.arrivals.push(device);
    this.#tell(`arrived ${device.edgeId}`);
    return "admitted";
  }

  described({ edgeId, description }: LiveDevice): void {
    this.descriptions.set(edgeId, description);
    this.#tell(`described ${edgeId}`);
  }

  opened(transport: string): void {
    this.#tell(`opened ${transport}`);
  }

  left(edgeId: string): void {
    this.live.delete(edgeId);
    this.#tell(`left ${edgeId}`);
  }

  reported(report: Observation, source: ReportSource): Promise<Taken> {
    return this.#commit(report, source);
  }

  pushed(observation: Observation): Promise<PushResult> {
    return this.pushes.push(observation, observation.property === "event");
  }

  async learned(observation: Observation): Promise<void> {
    this.learnings.push(observation);
    this.#note(observation);
    this.#tell(`learned ${observation.service}.${observation.property} ${JSON.stringify(observation.value)}`);
  }

  unread(_device: string, { service, property }: PropertyAddress): void {
    this.#tell(`unread ${service}.${property}`);
  }

  forgetReports(node: string): void {
    this.forgotten.push(node);
    this.#tell(`forgot ${node}`);
  }

  #commit(report: Observation, source: ReportSource): Promise<Taken> {
    this.reports.push({ report, source });
    this.#note(report);
    this.#tell(`reported ${report.service}.${report.property} ${JSON.stringify(report.value)}`);
    return this.commit(report, source);
  }
}
