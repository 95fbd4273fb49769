/** The flags of `run`, shared with the commands that look at the same settings without running: `check-config`, `doctor`. */
import { loadSettings } from "@porchlight/shared/settings";
import type { Command } from "commander";
import { type AgentSettings, agentSettings } from "../config/settings.ts";
import { PROGRAM, type Surroundings } from "./command.ts";

/** Gives a command the flags of `run`. */
export function withRunFlags(command: Command): Command {
  const collect = (entry: string, entries: readonly string[] = []) => [...entries, entry];
  return command
    .option("--cloud <url>", "base address of the service")
    .option("--data <dir>", "folder of everything that the agent keeps")
    .option("--serial <path[@baud]>", "a serial line with devices; may be given several times", collect)
    .option("--lan <interface>", "address of the network interface on which devices are looked for")
    .option("--lan-admit <ids>", "edgeIds of the network devices to speak to, commas between; or `all`")
    .option("--token-file <file>", "the client token; the data folder's own `token` when left out")
    .option("--ca <file>", "PEM of a CA to trust besides the usual ones")
    .option("--edge-id <id>", "the hub's edgeId, at the first start only")
    .option("--api-port <port>", "serve the API at home on this port")
    .option("--api-host <address>", "address to listen on for it (127.0.0.1)")
    .option("--metrics-port <port>", "serve /metrics on this port of 127.0.0.1")
    .option("--config <file>", "settings in YAML");
}

/** The settings that those flags, the environment and the file give. @throws SettingsError */
export function runSettings(
  { config, ...flags }: Readonly<Record<string, unknown>>,
  { env }: Pick<Surroundings, "env">,
): AgentSettings {
  const file = typeof config === "string" ? config : undefined;
  return loadSettings(agentSettings, { program: PROGRAM, file, env, flags });
}
