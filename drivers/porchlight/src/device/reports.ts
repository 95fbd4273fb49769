/** What a node reports by itself: checked in the order of the contract, committed by the host, and only then acknowledged. */
import { acceptedValue, type DriverHost, worthOf } from "@porchlight/driver-kit";
import type { Clock, Log, TokenBucket } from "@porchlight/shared/kernel";
import { addressKey } from "@porchlight/shared/model";
import { ERROR_CODE, type HelloInfo, HUB_WINDOW, type MessageOf } from "@porchlight/shared/wire";
import type { LineCounters } from "../line/line-counters.ts";
import type { DeviceLife } from "./device-life.ts";

export interface ReportsDeps {
  readonly clock: Clock;
  readonly log: Log;
  readonly host: Pick<DriverHost, "reported">;
  readonly counters: LineCounters;
  readonly deviceAt: (place: number) => DeviceLife | undefined;
  readonly acknowledge: (seq: number) => void;
  readonly refuse: (seq: number, code: number, text: string) => void;
}

/** The reports of one line; `boot` after `boot`. */
export class Reports {
  readonly #deps: ReportsDeps;
  readonly #bucket: TokenBucket;
  #node: HelloInfo | undefined;
  /** Seqs that the host has and has not committed yet. */
  #committing = new Set<number>();
  /** What came in one go behind an answer, in order: reports, and answers behind them. */
  #behind: (() => void)[] | undefined;

  constructor(deps: ReportsDeps, bucket: TokenBucket) {
    this.#deps = deps;
    this.#bucket = bucket;
  }

  /** From now on they are this boot's; `undefined`: of no boot. What is still being committed is not acknowledged any more. */
  of(node: HelloInfo | undefined): void {
    while (this.#behind?.length) this.#takeHeld();
    this.#node = node;
    this.#committing = new Set();
  }

  /**
   * Hands an answer to who asked, in its place among the reports: who asked takes it before what was reported after it is taken, and after
   * what was reported before, or an older value would end up as the newer. Answers without a report between them are handed over at once.
   * @param hand gives whether somebody waited for it
   */
  answer(hand: () => boolean): void {
    if (this.#behind?.length) this.#behind.push(() => this.answer(hand));
    else if (hand() && !this.#behind) {
      this.#behind = [];
      setImmediate(() => this.#takeHeld());
    }
  }

  /** Takes one in. DP5, "Reports", "Values" and "Floods". */
  take(report: MessageOf<"REPORT">): void {
    if (this.#behind) this.#behind.push(() => this.take(report));
    else this.#check(report);
  }

  /** As if it came now: what is behind the next answer is held again. */
  #takeHeld(): void {
    const held = this.#behind ?? [];
    this.#behind = undefined;
    for (const comesAgain of held) comesAgain();
  }

  #check(report: MessageOf<"REPORT">): void {
    if (!this.#node) return;
    const { clock, counters } = this.#deps;
    if (!this.#bucket.take(clock.monotonic())) {
      counters.reportsOverRate += 1;
      return;
    }
    const life = this.#deps.deviceAt(report.device);
    const takes = life?.takesReports ?? "never";
    if (takes === "later") return;
    if (!life || takes === "never") {
      this.#refuse(report, ERROR_CODE.unknownDevice, "unknown device");
      return;
    }
    const index = String(report.index);
    const property = life.described?.find(report.service, index, report.property);
    if (!property) {
      if (life.described?.hasService(report.service, index))
        this.#refuse(report, ERROR_CODE.unknownProperty, "unknown property");
      else this.#refuse(report, ERROR_CODE.unknownService, "unknown service");
      return;
    }
    const worth = worthOf(property.description, report.value);
    if (worth === "wrong_type") {
      counters.wrongType += 1;
      life.valueless(property.address);
      this.#refuse(report, ERROR_CODE.malformed, "a type other than described");
      return;
    }
    if (worth === "out_of_range") counters.outOfRange += 1;
    const { service, property: name } = property.address;
    life.statements.add(addressKey(property.address));
    void this.#commit(report, {
      device: life.edgeId,
      service,
      index,
      property: name,
      value: acceptedValue(property.address, property.description, report.value),
    });
  }

  async #commit(report: MessageOf<"REPORT">, observation: Parameters<DriverHost["reported"]>[0]): Promise<void> {
    const { counters, host, log } = this.#deps;
    const node = this.#node;
    const committing = this.#committing;
    // A repetition of what is being committed is answered once, when that is done.
    if (!node || committing.has(report.seq)) return;
    if (committing.size >= HUB_WINDOW) return this.#putOff(report.seq);
    committing.add(report.seq);
    try {
      const result = await host.reported(observation, { node: node.id, boot: node.boot, seq: report.seq });
      if (this.#committing !== committing) return;
      if (result === "busy") return this.#putOff(report.seq);
      counters[result === "stored" ? "reports" : "reportsRepeated"] += 1;
      this.#deps.acknowledge(report.seq);
    } catch (error) {
      // Not acknowledged: the node brings it again.
      counters.reportsFailed += 1;
      log.error({ device: observation.device, error }, "a report could not be stored");
    } finally {
      committing.delete(report.seq);
    }
  }

  #putOff(seq: number): void {
    this.#deps.counters.reportsPutOff += 1;
    this.#deps.refuse(seq, ERROR_CODE.busy, "busy");
  }

  #refuse({ seq }: MessageOf<"REPORT">, code: number, text: string): void {
    this.#deps.counters.reportsRefused += 1;
    this.#deps.refuse(seq, code, text);
  }
}
