/** A hub that is connected to the service within a test, and answers every question about itself and its drivers. */
import type { TestCloud } from "@porchlight/cloud/app.fixture.ts";
import { newKey, ScriptedHub } from "@porchlight/cloud/tunnels/tunnels.fixture.ts";
import {
  CATALOGUE,
  type DeviceAbout,
  type DriverAnswer,
  type DriverQuestion,
  type HubSetup,
  type MaintenanceAnswer,
  type MaintenanceQuestion,
} from "@porchlight/shared/model";

const BEGUN = { id: "setup-1", kind: "bridge", title: "Pair a bridge", driver: "bridges", version: 1 } as const;
const RUNNING: HubSetup = { ...BEGUN, state: "running", text: "Press the button.", found: [] };

const ASKING: HubSetup = {
  ...RUNNING,
  version: 2,
  state: "asking",
  text: "Which one?",
  question: { number: 1, ask: "choice", text: "Which one?", choices: ["upstairs", "cellar"] },
};

/** Asks which bridge is meant, finds a lock by it, and is then done. */
export class AnsweringDrivers {
  readonly asked: DriverQuestion[] = [];
  #steps: HubSetup[] = [];

  readonly answer = async ({ question }: { readonly question: DriverQuestion }): Promise<DriverAnswer> => {
    this.asked.push(question);
    switch (question.ask) {
      case "drivers":
        return {
          drivers: [
            {
              ...{ name: "bridges", state: "running", devices: 2, problem: "The bridge does not answer." },
              found: [
                {
                  edgeId: "02-00-00-00-00-77",
                  name: "Front door",
                  services: ["Lock"],
                  admission: "awaiting_admission",
                },
              ],
              unpaired: [
                {
                  name: "Attic bridge",
                  address: "10.0.0.9",
                  missing: "Press the button on the bridge.",
                  setup: "bridge",
                },
              ],
              setups: [{ kind: "bridge", title: "Pair a bridge" }],
            },
          ],
        };
      case "admit":
        return { admitted: question.admitted };
      case "setup start":
        this.#steps = [ASKING];
        return { setup: RUNNING };
      case "setup answer":
        this.#steps.push({
          ...{ ...RUNNING, version: 3, state: "done", text: "It has ended." },
          found: [{ edgeId: "02-00-00-00-00-77", name: `A lock in the ${question.answer}` }],
        });
        return { setup: { ...RUNNING, version: 3, text: "It is paired." } };
      case "setup look":
        return { setup: this.#steps.shift() ?? RUNNING };
      case "setup cancel":
        return { setup: { ...RUNNING, version: 4, state: "cancelled", text: "A person ended the setup." } };
      case "matter bridge":
        return { heard: true };
    }
  };
}

const BACKUP = { name: "hub-2026-11-21T16-59-22Z.backup", at: Date.UTC(2026, 10, 21, 16, 59, 22), bytes: 4096 };
const FOLDER = "/var/lib/porchlight-agent/backups";

/** A hub that has a problem, and carries out its commands. */
function answerMaintenance({ question }: { readonly question: MaintenanceQuestion }): MaintenanceAnswer {
  switch (question.ask) {
    case "status":
      return {
        status: {
          ...{ version: "1.2.3", startedAt: Date.UTC(2026, 10, 21, 16, 0, 0), uptimeMs: 1000 },
          ...{ system: "Linux 6.12.0", architecture: "arm64", runtime: "Node.js 24.11.0" },
          ...{ dataFolder: "/var/lib/porchlight-agent", commandsWaiting: 0, restart: "service_manager" },
          memory: { agentBytes: 90e6, freeBytes: 400e6, totalBytes: 1e9 },
          disk: { freeBytes: 5e9, totalBytes: 14e9, databaseBytes: 1e6, isFull: false },
          queue: { records: 0, bytes: 0, droppedValues: 0, gaps: 0, isFull: false },
          clock: { skewMs: 12, source: "system" },
          problems: [{ name: "link_down", says: "serial /dev/ttyUSB0 is not there.", cure: "Plug it in." }],
        },
      };
    case "doctor":
      return {
        doctor: {
          items: [
            { name: "disk", verdict: "ok", says: "5120 MiB free." },
            {
              name: "serial /dev/ttyUSB0",
              verdict: "failed",
              says: "It does not exist.",
              cure: "Plug in the adapter.",
            },
          ],
        },
      };
    case "log":
      return {
        log: {
          ...{ isKept: true, isCut: false, oldestAt: Date.UTC(2026, 10, 21, 16, 0, 0) },
          lines: [
            { at: Date.UTC(2026, 10, 21, 16, 59, 22), level: question.level, text: "the hub is online  epoch=1" },
          ],
        },
      };
    case "backups":
      return { backups: { folder: FOLDER, items: [BACKUP] } };
    case "backup":
      return { backup: { ...BACKUP, folder: FOLDER } };
    case "restart":
      return { restart: { uptimeMs: 1000 } };
    case "journal":
      return { journal: { isCut: false, items: [] } };
  }
}

/** A device as a hub announces it. */
export interface AnnouncedDevice {
  readonly edgeId: string;
  readonly about: DeviceAbout;
  /** Standard service classes. */
  readonly services: readonly string[];
}

/** Connects it with a client token. Gives what keeps its lease. */
export async function connectHub(
  cloud: TestCloud,
  clientToken: string,
  drivers = new AnsweringDrivers(),
  devices: readonly AnnouncedDevice[] = [],
): Promise<() => Promise<void>> {
  const principal = await cloud.app.authenticateClient(clientToken);
  const host = { clock: cloud.clock, accept: cloud.app.acceptTunnel.bind(cloud.app) };
  const hub = await ScriptedHub.connect(host, principal, { key: newKey() });
  hub.answers.drivers = drivers.answer;
  hub.answers.maintenance = answerMaintenance;
  if (devices.length > 0) await announce(hub, devices);
  return async () => void (await hub.ask("heartbeat", { queued: 0, now: cloud.clock.now() }));
}

async function announce(hub: ScriptedHub, devices: readonly AnnouncedDevice[]): Promise<void> {
  const heads = devices.map(({ edgeId }) => ({ edgeId, digest: "d1", arrival: 1, online: true }));
  await hub.ask("inventory", { digest: "all", devices: heads });
  for (const [at, { about, services: classes }] of devices.entries()) {
    const services = classes.map((service) => ({ service, index: "0", properties: CATALOGUE.get(service) ?? [] }));
    await hub.ask("describe", { ...heads[at], about, part: 0, parts: 1, services });
  }
}
