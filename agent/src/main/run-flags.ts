/** The flags of `run`, shared with `check-config` and `doctor`, which read the same settings without running. */
import { loadSettings, settingFlags } from "@porchlight/shared/settings";
import type { Command } from "commander";
import { type AgentSettings, agentSettings } from "../config/index.ts";
import { PROGRAM, type Surroundings } from "./command.ts";

/** Adds the flags of `run` to a command. */
export function withRunFlags(command: Command): Command {
  const collect = (entry: string, entries: readonly string[] = []) => [...entries, entry];
  for (const { flags, help, isRepeatable } of settingFlags(agentSettings.shape)) {
    if (isRepeatable) command.option(flags, help, collect);
    else command.option(flags, help);
  }
  return command.option("--config <file>", "settings file in YAML");
}

/** The settings from the flags, the environment and the file. @throws SettingsError */
export function runSettings(
  { config, ...flags }: Readonly<Record<string, unknown>>,
  { env }: Pick<Surroundings, "env">,
): AgentSettings {
  const file = typeof config === "string" ? config : undefined;
  return loadSettings(agentSettings, { program: PROGRAM, file, env, flags });
}
