/** Serves the hub's requests for devices: repetitions, the window, faults, and delayed answers. */
import type { Clock, Timer } from "@porchlight/shared/kernel";
import type { PropertyAddress, Value } from "@porchlight/shared/model";
import { ERROR_CODE, type Message } from "@porchlight/shared/wire";
import { speaks, type Treatment, treat, worn } from "../device-fault.ts";
import type { SimulatedDevice } from "../devices/simulated-device.ts";
import { carryOut, type DeviceRequest, errorAnswer, isRemembered } from "./requests.ts";

export interface RequestServerDeps {
  readonly clock: Clock;
  /** Number of requests accepted at once. */
  readonly win: number;
  /** The node's frame limit for the parts of descriptions, bytes. */
  readonly max: number;
  deviceAt(place: number): SimulatedDevice | undefined;
  answer(message: Message): void;
  /** Returns the node to HELLO, as after silence of its hub: {@link RequestServer.forget}. */
  relapse(): void;
  /** A WRITE was executed: a waiting report must have the new value. */
  written(place: number, address: PropertyAddress, value: Value): void;
}

/** Pending work of a slow device. */
interface Late {
  readonly device: SimulatedDevice;
  readonly work: () => void;
}

type CarriedOutSo = Extract<Treatment, { kind: "carry_out" }>;

export class RequestServer {
  readonly #deps: RequestServerDeps;
  readonly #slow = new Map<Timer, Late>();
  #memory: Memory = [];
  /** Seqs whose answer was lost: a repetition of one finds the node back at HELLO. */
  readonly #lost = new Set<number>();

  constructor(deps: RequestServerDeps) {
    this.#deps = deps;
  }

  /** Number of requests being executed. */
  get underWay(): number {
    return underWay(this.#memory);
  }

  /** Drops every answer: at WHO and whenever the node returns to HELLO. Running requests continue. */
  forget(): void {
    this.#memory = [];
    this.#lost.clear();
  }

  /** Drops running requests too. */
  reboot(): void {
    this.forget();
    for (const timer of this.#slow.keys()) timer.cancel();
    this.#slow.clear();
  }

  /** Executes the pending work of a slow device at once. */
  catchUp(device: SimulatedDevice): void {
    for (const [timer, late] of [...this.#slow]) {
      if (late.device !== device) continue;
      timer.cancel();
      this.#slow.delete(timer);
      late.work();
    }
  }

  /** @param body the bytes of the request, by which a repetition is recognised */
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

  /** Answers with ERROR 9, also when the request is repeated (R7). */
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

  /** Ends a request. For a WRITE or IDENTIFY the answer is remembered, even ERROR 9 and the unsent answer of a mute device. */
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

/** A remembered request of the hub, so that its repetition is not executed twice. DP5, "Repetitions". */
interface Remembered {
  readonly seq: number;
  readonly body: Uint8Array;
  /** Undefined while the request is being executed. */
  readonly answer: Message | undefined;
}

/** Oldest first. */
type Memory = readonly Remembered[];

type Recollection =
  | { readonly kind: "new" }
  /** Still being executed: ignored. */
  | { readonly kind: "under_way" }
  | { readonly kind: "answered"; readonly answer: Message };

/** Looks a request up; a repetition has the same seq and the same body. */
function recall(memory: Memory, seq: number, body: Uint8Array): Recollection {
  const found = memory.findLast((entry) => entry.seq === seq && Buffer.compare(entry.body, body) === 0);
  if (!found) return { kind: "new" };
  return found.answer ? { kind: "answered", answer: found.answer } : { kind: "under_way" };
}

/** Number of requests being executed, which the node's `win` limits. */
function underWay(memory: Memory): number {
  return memory.filter((entry) => entry.answer === undefined).length;
}

/** The execution of a request has begun. */
function begun(memory: Memory, seq: number, body: Uint8Array): Memory {
  return [...memory, { seq, body, answer: undefined }];
}

/** The request ended without an answer to remember: READ and DESCRIBE. */
function forgotten(memory: Memory, seq: number): Memory {
  return memory.filter((entry) => entry.seq !== seq || entry.answer !== undefined);
}

/**
 * The request was answered. The last `keep` answers are remembered, and as many ERROR 9 beside them, because an ERROR 9 records no
 * execution.
 */
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
