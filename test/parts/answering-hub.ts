/** A hub that is connected to the service within a test, with drivers that answer every question. */
import type { TestCloud } from "@porchlight/cloud/app.fixture.ts";
import { newKey, ScriptedHub } from "@porchlight/cloud/tunnels/tunnels.fixture.ts";
import type { DriverAnswer, DriverQuestion, HubSetup } from "@porchlight/shared/model";

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
        return { setup: { ...RUNNING, version: 4, state: "cancelled", text: "It was ended by a person." } };
    }
  };
}

/** Connects it with a client token. Gives what keeps its lease. */
export async function connectHub(
  cloud: TestCloud,
  clientToken: string,
  drivers = new AnsweringDrivers(),
): Promise<() => Promise<void>> {
  const principal = await cloud.app.authenticateClient(clientToken);
  const host = { clock: cloud.clock, accept: cloud.app.acceptTunnel.bind(cloud.app) };
  const hub = await ScriptedHub.connect(host, principal, { key: newKey() });
  hub.answers.drivers = drivers.answer;
  return async () => void (await hub.ask("heartbeat", { queued: 0, now: cloud.clock.now() }));
}
