/** Serves the hub's requests for devices: repetitions, the window, faults, and answers that take their time. */
import type { Clock, Timer } from "@porchlight/shared/kernel";
import type { PropertyAddress, Value } from "@porchlight/shared/model";
import { ERROR_CODE, type Message } from "@porchlight/shared/wire";
import type { SimulatedDevice } from "../devices/simulated-device.ts";
import { speaks, type Treatment, treat, worn } from "../faults/device-fault.ts";
import { carryOut, type DeviceRequest, errorAnswer, isRemembered } from "./requests.ts";

export interface RequestServerDeps {
  readonly clock: Clock;
  /** Requests taken at once. */
  readonly win: number;
  /** The node's frame limit, into which descriptions are cut, bytes. */
  readonly max: number;
  deviceAt(place: number): SimulatedDevice | undefined;
  answer(message: Message): void;
  /** The node returns to HELLO, as it does when its hub is silent: {@link RequestServer.forget}. */
  relapse(): void;
  /** A WRITE was applied: a report that waits must say what now applies. */
  written(place: number, address: PropertyAddress, value: Value): void;
}

/** What a slow device has still to do. */
interface Late {
  readonly device: SimulatedDevice;
  readonly work: () => void;
}

type CarriedOutSo = Extract<Treatment, { kind: "carry_out" }>;

export class RequestServer {
  readonly #deps: RequestServerDeps;
  readonly #slow = new Map<Timer, Late>();
  #memory: Memory = [];
  /** Seqs whose answer was lost: what repeats one of them finds the node back at HELLO. */
  readonly #lost = new Set<number>();

  constructor(deps: RequestServerDeps) {
    this.#deps = deps;
  }

  /** Requests that are being carried out. */
  get underWay(): number {
    return underWay(this.#memory);
  }

  /** Forgets every answer: at WHO and whenever the node goes back to HELLO. What is under way goes on. */
  forget(): void {
    this.#memory = [];
    this.#lost.clear();
  }

  /** Loses what was under way, too. */
  reboot(): void {
    this.forget();
    for (const timer of this.#slow.keys()) timer.cancel();
    this.#slow.clear();
  }

  /** Does at once what a device that was slow has still to do. */
  catchUp(device: SimulatedDevice): void {
    for (const [timer, late] of [...this.#slow]) {
      if (late.device !== device) continue;
      timer.cancel();
      this.#slow.delete(timer);
      late.work();
    }
  }

  /** @param body the request's own bytes: what makes a repetition the same */
  handle(request: DeviceRequest, body: Uint8Array): void {
    const { seq } = request;
    const device = this.#deps.deviceAt(request.device);
    const known = recall(this.#memory, seq, body);
    if (known.kind === "under_way") return;
    if (known.kind === "answered") {
      if (this.#lost.has(seq)) {
        this.#deps.relapse();
        this.turnAway(request, body, "Busy: no hub has acknowledged this boot yet.");
      } else if (!device || speaks(device.fault)) this.#deps.answer(known.answer);
      return;
    }
    if (underWay(this.#memory) >= this.#deps.win) this.turnAway(request, body, "Busy: ask again.");
    else if (!device) this.#error(seq, ERROR_CODE.unknownDevice, `There is no device at ${request.device}.`);
    else this.#treat(request, body, device);
  }

  /** Answers with ERROR 9, and a repetition of the request too (R7). */
  turnAway(request: DeviceRequest, body: Uint8Array, why: string): void {
    const { seq } = request;
    const known = recall(this.#memory, seq, body);
    if (known.kind === "answered") this.#deps.answer(known.answer);
    else {
      this.#memory = begun(this.#memory, seq, body);
      this.#finish(request, errorAnswer(seq, ERROR_CODE.busy, why), false);
    }
  }

  #treat(request: DeviceRequest, body: Uint8Array, device: SimulatedDevice): void {
    const treatment = treat(device.fault, request.type);
    device.fail(worn(device.fault, treatment));
    if (treatment.kind === "drop") return;
    this.#memory = begun(this.#memory, request.seq, body);
    if (treatment.kind === "error") {
      this.#finish(request, errorAnswer(request.seq, treatment.code, treatment.text), false);
      return;
    }
    this.#later(treatment.afterMs, { device, work: () => this.#work(request, device, treatment) });
  }

  #work(request: DeviceRequest, device: SimulatedDevice, { answerAfterMs, answer: fate }: CarriedOutSo): void {
    const { answer, written } = carryOut(request, device, this.#deps.max);
    if (written) this.#deps.written(request.device, written.address, written.value);
    if (fate === "lost") this.#lost.add(request.seq);
    this.#later(answerAfterMs, { device, work: () => this.#finish(request, answer, fate !== "said") });
  }

  #later(ms: number, late: Late): void {
    if (ms === 0) {
      late.work();
      return;
    }
    const timer = this.#deps.clock.timer("slow device", ms, () => {
      this.#slow.delete(timer);
      late.work();
    });
    this.#slow.set(timer, late);
  }

  /** Ends a request. Of one that acts every answer is remembered, ERROR 9 and what a mute device would have said too. */
  #finish(request: DeviceRequest, answer: Message, mute: boolean): void {
    this.#memory = isRemembered(request)
      ? answered(this.#memory, request.seq, answer, this.#deps.win)
      : forgotten(this.#memory, request.seq);
    if (!mute) this.#deps.answer(answer);
  }

  #error(seq: number, code: number, text: string): void {
    this.#deps.answer(errorAnswer(seq, code, text));
  }
}

/** What a node remembers of the hub's requests so that a repetition does not act twice. DP5, "Repetitions". */
interface Remembered {
  readonly seq: number;
  readonly body: Uint8Array;
  /** Undefined while the request is being carried out. */
  readonly answer: Message | undefined;
}

/** Oldest first. */
type Memory = readonly Remembered[];

type Recollection =
  | { readonly kind: "new" }
  /** Still being carried out: ignored. */
  | { readonly kind: "under_way" }
  | { readonly kind: "answered"; readonly answer: Message };

/** What is known of a request; a repetition is the same seq with the same body. */
function recall(memory: Memory, seq: number, body: Uint8Array): Recollection {
  const found = memory.findLast((entry) => entry.seq === seq && Buffer.compare(entry.body, body) === 0);
  if (!found) return { kind: "new" };
  return found.answer ? { kind: "answered", answer: found.answer } : { kind: "under_way" };
}

/** How many requests are being carried out: what is measured against the node's `win`. */
function underWay(memory: Memory): number {
  return memory.filter((entry) => entry.answer === undefined).length;
}

/** A request is being carried out. */
function begun(memory: Memory, seq: number, body: Uint8Array): Memory {
  return [...memory, { seq, body, answer: undefined }];
}

/** It ended without an answer that must be repeated: READ and DESCRIBE. */
function forgotten(memory: Memory, seq: number): Memory {
  return memory.filter((entry) => entry.seq !== seq || entry.answer !== undefined);
}

/** It was answered: the last `keep` answers are remembered, and as many of ERROR 9 beside them, for those say nothing of what was done. */
function answered(memory: Memory, seq: number, answer: Message, keep: number): Memory {
  const done = memory.map((entry) => (entry.seq === seq && entry.answer === undefined ? { ...entry, answer } : entry));
  const answers = done.filter((entry) => entry.answer !== undefined);
  const surplus = (some: Memory) => some.slice(0, Math.max(0, some.length - keep));
  const gone = [...surplus(answers.filter(isBusy)), ...surplus(answers.filter((entry) => !isBusy(entry)))];
  return done.filter((entry) => !gone.includes(entry));
}

function isBusy({ answer }: Remembered): boolean {
  return answer?.type === "ERROR" && answer.code === ERROR_CODE.busy;
}
