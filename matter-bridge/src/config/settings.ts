/**
 * Settings of `porchlight-matter-bridge`: one schema for file, environment and flags; and the address of the hub with the token for its
 * API, from the data folder.
 */
import { readFileSync, renameSync } from "node:fs";
import { join } from "node:path";
import { setting } from "@porchlight/shared/settings";
import { z } from "zod";

const filledText = z.string().min(1);
const names = z.array(filledText).max(1000);

/** In the order of `--help` and of the operators' document. */
export const bridgeSettings = z.object({
  data: setting(filledText, {
    flag: "<dir>",
    meaning: "folder for all data of the bridge: its keys, and which endpoint each device is",
  }),
  hub: setting(z.url({ protocol: /^http$/, error: "must be an http address" }).optional(), {
    flag: "<url>",
    meaning: "address of the hub's API at home",
    byDefault: "what stands in `hub` in the data folder",
  }),
  tokenFile: setting(filledText.optional(), {
    flag: "<file>",
    meaning: "file with a token of the API at home",
    byDefault: "`token` in the data folder",
  }),
  show: setting(z.union([z.literal("all"), names]).default("all"), {
    flag: "<devices>",
    meaning:
      "the devices that are shown: `all`, or IDs, edgeIds or aliases. With `all`, devices that the hub has through Matter are left out",
  }),
  hide: setting(names.default([]), {
    flag: "<devices>",
    meaning: "IDs, edgeIds or aliases of devices that are not shown",
  }),
  matterPort: setting(z.int().min(1).max(65_535).default(5540), {
    flag: "<port>",
    meaning: "UDP port on which controllers speak to the bridge",
  }),
  logLevel: setting(z.enum(["debug", "info", "warn", "error"]).default("info"), {
    flag: "<level>",
    meaning: "least level to log: `debug`, `info`, `warn` or `error`",
  }),
});

export type BridgeSettings = z.output<typeof bridgeSettings>;

export interface Credential {
  readonly url: string;
  readonly token: string;
  /** Called when the hub rejects the token: renames it, so that the unit creates another at the next start. */
  refused(): void;
}

/** The address or the token is missing; the message states what a person can do. */
export class NoCredential extends Error {}

/** @throws NoCredential */
export function readCredential({
  data,
  hub,
  tokenFile,
}: Pick<BridgeSettings, "data" | "hub" | "tokenFile">): Credential {
  const path = tokenFile ?? join(data, "token");
  const url = hub ?? read(join(data, "hub"));
  if (!url) throw new NoCredential("the address of the hub's API is not known: give it with --hub");
  const token = read(path);
  if (!token)
    throw new NoCredential(`${path} has no token: porchlight-agent token create --name "Matter bridge" makes one`);
  return {
    url,
    token,
    refused: () => {
      if (tokenFile === undefined) renameSync(path, `${path}.refused`);
    },
  };
}

function read(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8").trim() || undefined;
  } catch (failure) {
    if (failure instanceof Error && "code" in failure && failure.code === "ENOENT") return undefined;
    throw failure;
  }
}
