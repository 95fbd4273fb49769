/** The reports of a node: checked in the order of the contract, committed by the host, and only then acknowledged. */
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

/** The reports of one line, through the boots of its node. */
export class Reports {
  readonly #deps: ReportsDeps;
  readonly #bucket: TokenBucket;
  #node: HelloInfo | undefined;
  /** Seqs of reports that the host is committing. */
  #committing = new Set<number>();
  /** Messages that arrived together behind an answer, in order: reports, and answers behind them. */
  #behind: (() => void)[] | undefined;

  constructor(deps: ReportsDeps, bucket: TokenBucket) {
    this.#deps = deps;
    this.#bucket = bucket;
  }

  /** A new boot begins, or none (`undefined`). Reports that are still being committed are no longer acknowledged. */
  of(node: HelloInfo | undefined): void {
    while (this.#behind?.length) this.#takeHeld();
    this.#node = node;
    this.#committing = new Set();
  }

  /**
   * Passes an answer to its request in order with the reports: after those that arrived before it, and before those that arrived after
   * it; otherwise an older value would replace a newer one. Answers with no report between them are passed at once.
   * @param hand returns whether a request waited for the answer
   */
  answer(hand: () => boolean): void {
    if (this.#behind?.length) this.#behind.push(() => this.answer(hand));
    else if (hand() && !this.#behind) {
      this.#behind = [];
      setImmediate(() => this.#takeHeld());
    }
  }

  /** Takes a report. DP5, "Reports", "Values" and "Floods". */
  take(report: MessageOf<"REPORT">): void {
    if (this.#behind) this.#behind.push(() => this.take(report));
    else this.#check(report);
  }

  /** Processes the held messages as if they arrived now: messages behind the next answer are held again. */
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
    // A repetition of a report that is being committed is answered once, after the commit.
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
      // Not acknowledged: the node repeats it.
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
