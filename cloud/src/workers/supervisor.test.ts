/** So many workers run as are wanted, whatever becomes of each of them, until all are ended in order. */
import { seededRandom, VirtualClock } from "@porchlight/shared/kernel";
import { expect, test } from "vitest";
import type { Ended, WorkerEvents } from "./running-worker.ts";
import { Supervisor } from "./supervisor.ts";
import type { ToWorker } from "./worker-messages.ts";

/** A process that does what the test says. */
class FakeProcess {
  readonly told: ToWorker[] = [];
  readonly number: number;
  readonly pid: number;
  readonly #events: WorkerEvents;
  /** Whether it ends when it is told to. */
  obeys = true;

  constructor(number: number, pid: number, events: WorkerEvents) {
    this.number = number;
    this.pid = pid;
    this.#events = events;
  }

  tell(message: ToWorker): void {
    this.told.push(message);
    if (message.kind === "metrics?" && this.obeys)
      this.says({ kind: "metrics", id: message.id, text: "# HELP n N\n# TYPE n gauge\nn 7\n" });
    if (message.kind === "drain" && this.obeys) this.ends({ code: 0, signal: null });
  }

  kill(): void {
    this.ends({ code: null, signal: "SIGKILL" });
  }

  says(message: unknown): void {
    this.#events.heard(message);
  }

  listens(): void {
    this.says({ kind: "listening", url: "http://127.0.0.1:8080" });
  }

  ends(how: Ended): void {
    this.#events.ended(how);
  }
}

class Scene {
  readonly clock = new VirtualClock();
  readonly processes: FakeProcess[] = [];
  readonly lines: string[] = [];
  readonly supervisor: Supervisor;
  /** Whether a process listens as soon as it has been started. */
  quick = true;

  constructor(count: number) {
    const line = (_fields: unknown, message: string) => void this.lines.push(message);
    this.supervisor = Supervisor.of({
      count,
      clock: this.clock,
      random: seededRandom(1),
      log: { debug: line, info: line, warn: line, error: line },
      startProcess: (number, events) => {
        const process = new FakeProcess(number, 100 + this.processes.length, events);
        this.processes.push(process);
        if (this.quick) queueMicrotask(() => process.listens());
        return process;
      },
    });
  }

  /** Numbers of the workers, in the order in which they were started. */
  get started(): number[] {
    return this.processes.map(({ number }) => number);
  }

  process(at: number): FakeProcess {
    const process = this.processes[at];
    if (process === undefined) throw new Error(`no process ${at} was started`);
    return process;
  }
}

/** Lets promises that are settled be heard. */
async function turns(): Promise<void> {
  for (let turn = 0; turn < 50; turn++) await Promise.resolve();
}

const DIED: Ended = { code: null, signal: "SIGSEGV" };
const drains = ({ told }: FakeProcess) => told.filter(({ kind }) => kind === "drain");

test("the first starts alone, for it makes what the others find, and the rest when it listens", async () => {
  const scene = new Scene(3);
  scene.quick = false;
  const starting = scene.supervisor.start();
  await turns();
  expect(scene.started).toEqual([1]);
  scene.process(0).listens();
  await turns();
  expect(scene.started).toEqual([1, 2, 3]);
  scene.process(1).listens();
  scene.process(2).listens();
  expect(await starting).toBe("http://127.0.0.1:8080");
});

test("a service whose first worker does not start does not start, and ends as that one did", async () => {
  const scene = new Scene(2);
  scene.quick = false;
  const starting = scene.supervisor.start();
  scene.process(0).ends({ code: 2, signal: null });
  await expect(starting).rejects.toMatchObject({ status: 2 });
  expect(scene.started).toEqual([1]);
});

test("a service whose first worker is killed before it listens says so", async () => {
  const scene = new Scene(2);
  scene.quick = false;
  const starting = scene.supervisor.start();
  scene.process(0).ends({ code: null, signal: "SIGKILL" });
  await expect(starting).rejects.toThrow("The first worker ended before it accepted requests (SIGKILL).");
});

test("a worker that has ended is started again within a second, and the others are left alone", async () => {
  const scene = new Scene(2);
  await scene.supervisor.start();
  scene.process(1).ends(DIED);
  await turns();
  expect(scene.lines).toEqual(["a worker has ended; it is started again"]);
  await scene.clock.advance(1_000);
  expect(scene.started).toEqual([1, 2, 2]);
  expect(drains(scene.process(0))).toEqual([]);
});

test("one that ends again and again is started less and less often, and never given up", async () => {
  const scene = new Scene(2);
  await scene.supervisor.start();
  scene.process(1).ends(DIED);
  const startsIn = async (ms: number) => {
    const before = scene.started.length;
    for (let passed = 0; passed < ms; passed += 100) {
      await scene.clock.advance(100);
      const last = scene.process(scene.processes.length - 1);
      if (last.number === 2) last.ends(DIED);
      await turns();
    }
    return scene.started.length - before;
  };
  const early = await startsIn(60_000);
  await startsIn(600_000);
  const late = await startsIn(60_000);
  expect(early).toBeGreaterThan(late);
  expect(late).toBeGreaterThan(0);
});

test("all are replaced in turn, each new process listening before the old one is sent away", async () => {
  const scene = new Scene(2);
  await scene.supervisor.start();
  scene.quick = false;
  const replaced = scene.supervisor.replaceAll();
  await turns();
  expect(scene.started).toEqual([1, 2, 1]);
  expect(drains(scene.process(0))).toEqual([]);
  scene.process(2).listens();
  await turns();
  expect(drains(scene.process(0))).toEqual([{ kind: "drain" }]);
  expect(scene.started).toEqual([1, 2, 1, 2]);
  scene.process(3).listens();
  await replaced;
  expect(drains(scene.process(1))).toHaveLength(1);
  // An old process that ends in order is not started again.
  await scene.clock.advance(60_000);
  expect(scene.started).toHaveLength(4);
});

test("a new process that does not start leaves the old one where it is, and it is still looked after", async () => {
  const scene = new Scene(2);
  await scene.supervisor.start();
  scene.quick = false;
  const replaced = scene.supervisor.replaceAll();
  await turns();
  scene.process(2).ends({ code: 2, signal: null });
  await replaced;
  expect(scene.started).toEqual([1, 2, 1]);
  expect(drains(scene.process(0))).toEqual([]);
  scene.quick = true;
  scene.process(0).ends(DIED);
  await turns();
  await scene.clock.advance(1_000);
  expect(scene.started).toEqual([1, 2, 1, 1]);
});

test("an old process that ends while the new one starts is not started a second time", async () => {
  const scene = new Scene(2);
  await scene.supervisor.start();
  scene.quick = false;
  const replaced = scene.supervisor.replaceAll();
  await turns();
  scene.process(0).ends(DIED);
  await scene.clock.advance(5_000);
  scene.process(2).listens();
  await turns();
  scene.process(3).listens();
  await replaced;
  expect(scene.started).toEqual([1, 2, 1, 2]);
});

test("the end is told to all at once, and waits for the last of them", async () => {
  const scene = new Scene(2);
  await scene.supervisor.start();
  for (const process of scene.processes) process.obeys = false;
  let isOver = false;
  const stopped = scene.supervisor.stop().then(() => {
    isOver = true;
  });
  await turns();
  expect(scene.processes.map(drains)).toEqual(Array(2).fill([{ kind: "drain" }]));
  scene.process(0).ends({ code: 0, signal: null });
  await scene.clock.advance(30_000);
  expect(isOver).toBe(false);
  scene.process(1).ends({ code: 0, signal: null });
  await stopped;
  await scene.clock.advance(60_000);
  expect(scene.started).toEqual([1, 2]);
});

test("one that does not end in time is killed, so that the end comes", async () => {
  const scene = new Scene(2);
  await scene.supervisor.start();
  scene.process(0).obeys = false;
  const stopped = scene.supervisor.stop();
  await scene.clock.advance(60_000);
  await stopped;
  expect(scene.lines).toContain("a worker did not end in time; it is killed");
});

test("one that waits to be started again is not started after the end", async () => {
  const scene = new Scene(2);
  await scene.supervisor.start();
  scene.process(1).ends(DIED);
  await turns();
  await scene.supervisor.stop();
  await scene.clock.advance(60_000);
  expect(scene.started).toEqual([1, 2]);
});

test("whoever reads the metrics at one worker reads those of all, and which of them is up", async () => {
  const scene = new Scene(2);
  await scene.supervisor.start();
  scene.process(1).obeys = false;
  scene.process(0).says({ kind: "gather", id: 5 });
  await scene.clock.advance(2_000);
  await turns();
  const [gathered] = scene.process(0).told.filter(({ kind }) => kind === "gathered");
  expect(gathered).toMatchObject({ id: 5, text: expect.stringContaining('n{worker="1"} 7\n') });
  for (const sample of ['porchlight_worker_up{worker="1"} 1', 'porchlight_worker_up{worker="2"} 0'])
    expect(gathered).toMatchObject({ text: expect.stringContaining(sample) });
});

test("what no worker says is ignored, and said in the log", async () => {
  const scene = new Scene(1);
  await scene.supervisor.start();
  scene.process(0).says({ kind: "listening" });
  scene.process(0).says("nothing");
  expect(scene.lines).toEqual(Array(2).fill("a message of a worker was not understood"));
});
