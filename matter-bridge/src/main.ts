#!/usr/bin/env node
/** The program `porchlight-matter-bridge` as a process: settings, log and exit. */
import { isPorchlightError, Porchlight } from "@porchlight/sdk";
import { systemClock, systemRandom } from "@porchlight/shared/kernel";
import { printableLines } from "@porchlight/shared/model";
import { exitStatusOf, loadSettings, settingFlags } from "@porchlight/shared/settings";
import { Command } from "commander";
import { pino } from "pino";
import manifest from "../package.json" with { type: "json" };
import { Bridge, NoOwner } from "./bridge.ts";
import { type BridgeSettings, bridgeSettings, NoCredential, readCredential } from "./config/settings.ts";
import { IdentitiesUnusable } from "./store/identities.ts";

const PROGRAM = "porchlight-matter-bridge";
/** EX_NOPERM: the hub rejected the token. */
const NOT_ALLOWED = 77;

// Keys and token in the data folder are private to the bridge.
process.umask(0o077);

// No top-level await, because the packaged bridge is a CommonJS module.
void main();

async function main(): Promise<never> {
  const program = new Command(PROGRAM).version(manifest.version).exitOverride();
  program.description("Shows the devices of a Porchlight hub to Matter controllers, such as Apple Home.");
  for (const { flags, help } of settingFlags(bridgeSettings.shape)) program.option(flags, help);
  program.option("--config <file>", "settings file in YAML");
  let status = 0;
  program.action(async ({ config, ...flags }: Readonly<Record<string, unknown>>) => {
    const file = typeof config === "string" ? config : undefined;
    status = await run(loadSettings(bridgeSettings, { program: PROGRAM, file, env: process.env, flags }));
  });
  try {
    await program.parseAsync();
  } catch (failure) {
    status = exitStatusOf(PROGRAM, failure, isPlain, err);
  }
  // Handles that a library still holds must not keep a stopped bridge alive.
  process.exit(status);
}

/** @returns the exit status @throws NoCredential, IdentitiesUnusable */
async function run(settings: BridgeSettings): Promise<number> {
  const { data, matterPort: port, show, hide, logLevel } = settings;
  const stderr = pino.destination({ fd: 2, sync: true });
  const log = pino({ level: logLevel }, { write: (line: string) => stderr.write(printableLines(line)) });
  const credential = readCredential(settings);
  const hub = new Porchlight({ baseUrl: credential.url, token: credential.token });
  const end = new AbortController();
  for (const signal of ["SIGTERM", "SIGINT"] as const)
    process.on(signal, () => (end.signal.aborted ? process.exit(130) : end.abort(new Error("the bridge stops"))));
  log.info({ version: manifest.version, hub: credential.url }, "the bridge starts");
  try {
    const around = { clock: systemClock, random: systemRandom, log, hub, version: manifest.version };
    await Bridge.run({ ...around, place: credential, data, port, choice: { show, hide } }, end.signal);
    return 0;
  } catch (failure) {
    if (end.signal.aborted) return 0;
    if (!isPorchlightError(failure) || failure.status !== 401) throw failure;
    log.error({}, "the hub does not take the token of the bridge");
    credential.refused();
    return NOT_ALLOWED;
  }
}

/** Writes to stderr, without the control characters that a device name or a message of the hub may contain. */
function err(text: string): void {
  process.stderr.write(printableLines(text));
}

/** Whether the message alone explains the failure, so that no stack is needed. */
function isPlain(failure: unknown): boolean {
  return (
    isPorchlightError(failure) || [NoCredential, NoOwner, IdentitiesUnusable].some((kind) => failure instanceof kind)
  );
}
