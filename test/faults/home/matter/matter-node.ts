/** The Matter device of a run: a process of another team's library in a network of its own, and how the hub comes to have it. Needs root. */
import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { derivedEdgeId } from "@porchlight/driver-kit";
import type { HubDriver, HubSetup } from "@porchlight/shared/model";
import type { Api } from "../../../parts/api.ts";
import { eventually } from "../../../parts/eventually.ts";
import { MatterNetwork } from "../../../parts/matter-device.ts";
import { Program } from "../../../parts/program.ts";
import { packagedDriver } from "../../../parts/released-driver.ts";
import { ProgramPart } from "../part.ts";
import { SHUTTER } from "../properties.ts";
import { Cable } from "./cable.ts";

export const SHUTTER_NAME = "shutter";
/** Others may have devices in pairing mode at the same time. */
const DISCRIMINATOR = (process.pid + 23) % 4096;
const UNIQUE_ID = `shutter-${process.pid}`;
/** As the driver makes it, of the test vendor's product. */
export const SHUTTER_EDGE_ID = derivedEdgeId("matter", `${0xfff1}/${0x8000}`, UNIQUE_ID);

export class MatterNode implements AsyncDisposable {
  readonly part: ProgramPart;
  readonly cable: Cable;
  /** Its own record, a path. */
  readonly acts: string;
  readonly #code: () => string;
  readonly #stack: AsyncDisposableStack;

  private constructor(
    made: Pick<MatterNode, "part" | "cable" | "acts">,
    code: () => string,
    stack: AsyncDisposableStack,
  ) {
    this.part = made.part;
    this.cable = made.cable;
    this.acts = made.acts;
    this.#code = code;
    this.#stack = stack;
  }

  /** @param folder of all that it keeps @throws Error when there can be no network namespace */
  static async start(folder: string): Promise<MatterNode> {
    await using stack = new AsyncDisposableStack();
    const network = stack.use(new MatterNetwork());
    const storage = join(folder, `${SHUTTER_NAME}.storage`);
    mkdirSync(storage, { recursive: true });
    const acts = join(folder, `${SHUTTER_NAME}.acts.jsonl`);
    const about = { discriminator: DISCRIMINATOR, uniqueId: UNIQUE_ID, edgeId: SHUTTER_EDGE_ID, first: SHUTTER.first };
    const given = JSON.stringify({ ...about, storage, acts });
    let code = "";
    const begin = async () => {
      const program = new Program(SHUTTER_NAME, "test/peers/matter-shutter.mjs", [given], {}, network.within);
      code = await program.line((line) =>
        line.startsWith('{"event":"started"') ? String(JSON.parse(line).qrPairingCode) : undefined,
      );
      return program;
    };
    const part = stack.use(new ProgramPart(SHUTTER_NAME, "device", begin));
    await part.start();
    return new MatterNode({ part, cable: new Cable(network), acts }, () => code, stack.move());
  }

  /** A person pairs it with the hub, through the service. */
  async pair(api: Api, clientId: string): Promise<void> {
    const hub = `/api/clients/${clientId}`;
    await eventually("the hub's Matter driver runs", async () => {
      const { items } = await api.good<{ items: readonly HubDriver[] }>("GET", `${hub}/drivers`);
      return items.some(({ setups }) => setups.some(({ kind }) => kind === "matter"));
    });
    const { id } = await api.good<HubSetup>("POST", `${hub}/setups`, { kind: "matter" });
    const look = () => api.good<HubSetup>("GET", `${hub}/setups/${id}`);
    const { number } = await eventually("the pairing asks for a code", async () => (await look()).question);
    await api.good("PUT", `${hub}/setups/${id}/answers/${number}`, { answer: this.#code() });
    await eventually("the Matter device is paired", async () => {
      const { state, text } = await look();
      if (state === "failed") throw new Error(text);
      return state === "done";
    });
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#stack.disposeAsync();
  }
}

/** Builds the driver's package as it is released, and installs it on a hub that has not been started. Gives the hub's settings file. */
export async function installDriver(folder: string, agentData: string): Promise<string> {
  const archive = await packagedDriver(mkdtempSync(join(folder, "driver-")));
  const args = ["drivers", "add", archive, "--yes", "--data", agentData];
  await using adding = new Program("drivers add", "agent/src/main.ts", args);
  const { code } = await adding.ended;
  if (code !== 0) throw new Error(`the driver could not be installed:\n${adding.stderr}`);
  const config = join(folder, "agent.yaml");
  writeFileSync(config, `drivers: ${JSON.stringify({ matter: { admit: [SHUTTER_EDGE_ID] } })}\n`);
  return config;
}
