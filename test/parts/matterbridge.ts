/** Matterbridge, a Matter bridge of another team, with its example of a device of each kind: in a network of its own, where it forgets all at its end. */
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { MatterNetwork } from "./matter-device.ts";
import { Program, ROOT } from "./program.ts";

const PEERS = join(ROOT, "test/peers/matterbridge");
const PROGRAM = "test/peers/matterbridge/node_modules/matterbridge/bin/matterbridge.js";
const PLUGIN = "matterbridge-example-dynamic-platform";
/** Of the devices in `network` no other has it. */
const PORT = "5550";

/** Its robot is a device of its own, with a code of its own, of which the first digits are the same. */
const CODE = /Matterbridge is uncommissioned .* manual pairing code: (\d{11})/;

export class Matterbridge implements AsyncDisposable {
  readonly #program: Program;
  readonly #home: string;
  /** 11 digits. */
  readonly pairingCode: string;

  private constructor(program: Program, home: string, pairingCode: string) {
    this.#program = program;
    this.#home = home;
    this.pairingCode = pairingCode;
  }

  static async start(network: MatterNetwork): Promise<Matterbridge> {
    if (!existsSync(join(ROOT, PROGRAM)))
      throw new Error("there is no matterbridge: node scripts/test/peers.mjs --long installs it");
    const home = mkdtempSync(join(tmpdir(), "porchlight-matterbridge-"));
    // It looks for its plugins where npm installs for all.
    mkdirSync(join(home, "prefix/lib"), { recursive: true });
    symlinkSync(join(PEERS, "node_modules"), join(home, "prefix/lib/node_modules"));
    const env = { HOME: home, npm_config_prefix: join(home, "prefix"), npm_config_offline: "true" };
    const settings = ["--homedir", home];
    execFileSync(process.execPath, [PROGRAM, ...settings, "--add", PLUGIN], {
      cwd: ROOT,
      env: { ...process.env, ...env },
    });
    const args = [...settings, "--bridge", "--novirtual", "--frontend", "0", "--port", PORT];
    const program = new Program("matterbridge", PROGRAM, args, env, network.within);
    const code = await program.line((line) => CODE.exec(line)?.[1]);
    return new Matterbridge(program, home, code);
  }

  /** Settles when it logs that one of its devices got a command. @param what such as `Command on called` */
  async does(device: string, what: string): Promise<void> {
    await this.#program.line((line) => (line.includes(`[${device}]`) && line.includes(what) ? true : undefined));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#program[Symbol.asyncDispose]();
    rmSync(this.#home, { recursive: true, force: true });
  }
}
